import { useEffect, useState } from 'preact/hooks'
import { useConsole } from '../api/hub.js'

/** The server's time, each second. */
export function useNow(): number {
  const { now } = useConsole()
  const [at, setAt] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 1_000)
    return () => clearInterval(timer)
  }, [now])
  return at
}
