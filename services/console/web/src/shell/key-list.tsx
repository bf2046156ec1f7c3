import { Dialog } from '../parts/dialog.js'

const KEYS: readonly (readonly [string, string])[] = [
  ['f', 'the fleet'],
  ['q', 'the queue of questions'],
  ['w', 'what was wrong: the appeals'],
  ['p', 'the policy, and how often each spec mattered'],
  ['c', 'the controls; there s stops, o observes, e enforces: you confirm it'],
  ['j', 'next in the list'],
  ['k', 'previous in the list'],
  ['Enter', 'open what has the focus'],
  ['v', 'replay the session shown; ← and → move its cursor, Home and End too'],
  ['r', 'sort the list now'],
  ['/', 'first filter of the fleet'],
  ['a', 'approve the question shown: you confirm what will run'],
  ['d', 'deny the question shown: you give the reason'],
  ['Esc', 'close a dialog'],
  ['?', 'these keys'],
]

export const KeyList = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="key-list">
      {KEYS.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </Dialog>
)
