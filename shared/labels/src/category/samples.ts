import type { CategorySample } from './fit.js'

const WORKS = {
  kitchen: [
    'Peel {n} potatoes and boil them in the large pot',
    'Chop the onions, then fry {n} of them in butter',
  ],
  garden: ['Water the {n} roses behind the shed', 'Dig {n} holes and plant the apple trees'],
  other: ['Tune the piano in room {n}', 'Paint {n} of the doors green'],
} as const

const THINGS = ['quickly', 'slowly', 'today', 'again', 'with care', 'before noon', 'after lunch', 'alone']

/** Made-up tasks of three kinds of work. For tests. */
export const sampleTasks = (): CategorySample[] =>
  Object.entries(WORKS).flatMap(([category, tasks]) =>
    tasks.flatMap((task) =>
      Array.from({ length: 24 }, (_, n) => ({
        task: `${task.replace('{n}', String(n))} ${THINGS[n % THINGS.length]}.`,
        category,
        origin: 'made up',
      })),
    ),
  )
