/** The load line of a ship. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="9.5" />
    <path d="M2 16h28" />
  </svg>
)
