/** The packages that are published, and what goes into each. The rest of the workspace is bundled into them. */

/**
 * @typedef {object} Published
 * @property {string} name as it is installed
 * @property {string} folder the workspace that it is built from
 * @property {string} description
 * @property {string} readme from the project's root
 * @property {string} [main] the built file that its command runs; without one it is a library, of the workspace's `exports`
 * @property {readonly string[]} inlined libraries that become part of it; the others are its dependencies
 * @property {boolean} [isLean] minified, with its data zipped
 * @property {boolean} [isMinified] its code alone
 * @property {readonly string[]} [leftOut] names of data files that it goes without
 * @property {readonly string[]} [ownEntries] entries of the workspace that are not published
 * @property {number} bytesMax unpacked
 */

/** Small, without dependencies, and pinned: what they return decides labels. */
const SMALL = ['@marcbachmann/cel-js', 'quick-lru']

/** @type {readonly Published[]} those that others depend on come first */
export const PUBLISHED = [
  {
    name: '@plimsoll/contracts',
    folder: 'shared/contracts',
    description: 'Schemas and types of the events, decisions and documents of Plimsoll.',
    readme: 'deploy/npm/contracts.md',
    inlined: [],
    bytesMax: 600_000,
  },
  {
    name: '@plimsoll/client',
    folder: 'shared/client',
    description:
      'Asks Plimsoll before each tool call of an LLM agent: in process, over a gateway or over Kafka.',
    readme: 'deploy/npm/client.md',
    // Of the small ones the largest, pinned as its dependency.
    inlined: SMALL.filter((library) => library !== '@marcbachmann/cel-js'),
    isLean: true,
    // The published method, to compare with: the command has it.
    leftOut: ['paper60.json'],
    // What the gateway and the command use of it.
    ownEntries: ['./services'],
    bytesMax: 1_000_000,
  },
  {
    name: 'plimsoll',
    folder: 'services/cli',
    description:
      'Watches fleets of LLM agents: predicts, proves and answers allow, warn, confirm or block before each tool call runs.',
    readme: 'README.md',
    main: 'dist/main.js',
    inlined: SMALL,
    isMinified: true,
    bytesMax: 4_000_000,
  },
]
