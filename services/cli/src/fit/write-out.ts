/** A bundle takes the place of the one before it whole, or not at all. */
export { writeWhole as writeOut } from '@plimsoll/trainer'
