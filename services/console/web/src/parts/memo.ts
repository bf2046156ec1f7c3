import { Component, type ComponentChildren, type ComponentType, type FunctionComponent, h } from 'preact'

/** `Inner`, drawn again only where one of its properties is another value. */
export function memo<Props extends object>(Inner: FunctionComponent<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)])
      return [...names].some(
        (name) => this.props[name as keyof typeof this.props] !== next[name as keyof typeof next],
      )
    }

    override render(): ComponentChildren {
      return h(Inner as FunctionComponent, this.props)
    }
  }
}
