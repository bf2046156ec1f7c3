/** Ann's calendars, in memory: the work calendar, which colleagues see, and the private one. */

/** Whose calendar it is. */
export const OWNER = 'ann@acme.example'

const EVENTS = [
  {
    id: 'work-1',
    calendar: 'work',
    title: 'Roadmap review',
    start: '2026-11-24T14:00',
    end: '2026-11-24T15:00',
    attendees: ['bob@acme.example', 'carla@partner.example'],
  },
  {
    id: 'work-2',
    calendar: 'work',
    title: 'Budget with Dana',
    start: '2026-11-25T09:00',
    end: '2026-11-25T09:30',
    attendees: ['dana@acme.example'],
  },
  {
    id: 'private-1',
    calendar: 'private',
    title: 'Cardiology, Dr. Okafor',
    start: '2026-11-24T14:30',
    end: '2026-11-24T16:00',
    attendees: [],
    place: 'Riverside Heart Clinic, Tower B',
    note: 'Follow-up on the arrhythmia found in October. Bring the ECG, file KX-48213.',
  },
]

/** What others see of a private event: only that there is one. */
const busy = ({ id, start, end }) => ({ id, title: 'Busy', start, end })

export function createCalendar() {
  const events = structuredClone(EVENTS)
  return {
    list: (calendar) =>
      calendar === 'private'
        ? events.filter((event) => event.calendar === 'private')
        : events.map((event) => (event.calendar === 'private' ? busy(event) : event)),
    /** Returns what others see of the event; undefined if there is none. */
    move: (id, start, end) => {
      const event = events.find((each) => each.id === id)
      if (!event) return undefined
      Object.assign(event, { start, end })
      return event.calendar === 'private' ? busy(event) : event
    },
  }
}
