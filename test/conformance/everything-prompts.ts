import {
  type Prompt,
  type ServerContext,
  ProtocolError,
  ProtocolErrorCode,
  inputRequired,
} from '@modelcontextprotocol/server'
import { text, image, embedded, formOf, responseOf } from './everything-content.js'

const argumentsOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, description: `the argument ${name}`, required: true }))

export const PROMPTS: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'a prompt' },
  {
    name: 'test_prompt_with_arguments',
    description: 'a prompt with arguments',
    arguments: argumentsOf('arg1', 'arg2'),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'a prompt with a resource',
    arguments: argumentsOf('resourceUri'),
  },
  { name: 'test_prompt_with_image', description: 'a prompt with an image' },
  { name: 'test_input_required_result_prompt', description: 'a prompt that needs an answer of the user' },
]

export function prompt(name: string, args: Readonly<Record<string, string>>, context: ServerContext) {
  const says = (...content: readonly object[]) => ({
    messages: content.map((each) => ({ role: 'user' as const, content: each as never })),
  })
  switch (name) {
    case 'test_simple_prompt':
      return says(text('This is a simple prompt for testing.'))
    case 'test_prompt_with_arguments':
      return says(text(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`))
    case 'test_prompt_with_embedded_resource':
      return says(
        embedded(args['resourceUri'] ?? '', 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      )
    case 'test_prompt_with_image':
      return says(image, text('Please analyze the image above.'))
    case 'test_input_required_result_prompt': {
      if (responseOf(context, 'user_context') !== undefined) return says(text('With your context.'))
      const form = formOf('What context should the prompt use?', { context: { type: 'string' } })
      return inputRequired({ inputRequests: { user_context: form } })
    }
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt \`${name}\``)
  }
}
