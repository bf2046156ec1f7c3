import type { WordClass } from './classes.js'

/**
 * English words by what they do in an instruction, base forms of verbs because a request uses those. The classes `place`, `number`,
 * `name` and `identifier` are told by a token's shape, not by a list.
 */
export const english: Readonly<Partial<Record<WordClass, string>>> = {
  send: `send email mail forward transfer wire pay post share upload transmit deliver submit publish leak exfiltrate copy paste
    remit donate refund message dm text ping broadcast tweet export sync relay dispatch route redirect cc bcc attach notify
    report disclose contact deposit move push resend reply respond`,
  change: `delete remove modify change update set reset add create grant revoke schedule reschedule invite book reserve buy order
    purchase cancel disable enable edit replace rename append write insert approve accept reject confirm register subscribe
    unsubscribe enroll assign unlock lock open close turn activate deactivate erase wipe destroy drop overwrite save store move
    clear purge empty block unblock allow whitelist promote merge star fork make sign close raise lower increase reduce mark
    archive kick ban trash install uninstall deploy restart shutdown encrypt sell trade place renew adjust configure arrange
    substitute swap alter amend issue charge credit withdraw`,
  fetch: `get retrieve find search read visit fetch list check collect gather download click navigate go browse look lookup query
    access extract locate obtain view inspect scan pull grab load import acquire examine summarize summarise concatenate compile
    include consult determine identify count review see dump harvest enumerate record`,
  say: `say tell reply respond answer mention include output print recommend state translate repeat begin start end respond claim
    insist promote praise suggest declare announce respond append display present describe explain write generate produce render
    endorse favor favour advise speak emphasize emphasise pretend act rate rank encourage warn convince refuse assert
    provide give show`,
  run: `use call execute run perform invoke do solve complete carry trigger launch initiate proceed continue try take apply handle
    conduct implement operate start stop halt pause end exit finish terminate abort quit process fulfil fulfill engage decode
    eval evaluate`,
  courtesy: `please kindly pls plz`,
  override: `ignore disregard forget override bypass overlook neglect supersede supersedes overrides discard skip suspend
    dismiss void nullify cancel abandon drop erase circumvent instead replaces replace reset stop unlearn deprioritize omit
    superseded overridden obsolete outdated invalid deprecated rather countermand revoked rescinded`,
  prior: `previous prior above earlier preceding foregoing existing initial original before previously old current other past former
    until already so far beginning`,
  directive: `instruction instructions prompt prompts rule rules guideline guidelines directive directives command commands order
    orders constraint constraints policy policies protocol restriction restrictions guardrail guardrails safeguards filter filters
    configuration alignment programming mandate requirement requirements guidance context safety limitation limitations mode
    override directions direction procedure`,
  model: `assistant assistants ai model models agent agents chatbot bot bots llm llms gpt claude gemini copilot system robot machine
    chatgpt llama mistral bard grok automated automation ais crawler crawlers summarizer summariser reader ia gpt-4 language
    assistant's ai's agent's agentic`,
  user: `user users owner customer admin administrator developer developers operator human humans creator account-holder client
    user's owner's customer's admin's operator's developer's`,
  task: `task tasks request requests job goal goals objective objectives question questions query assignment conversation session chat
    todo action actions step steps mission work workflow reply response responses answer answers output summary turn
    command operation follow-up prerequisite`,
  tool: `tool tools function functions api parameter parameters argument arguments args endpoint plugin plugins json mcp toolset
    call calls capability capabilities invocation shell terminal curl bash payload field script code browser tool's subagent`,
  order: `before after first then once beforehand afterwards next finally when while until secondly lastly subsequently prior
    afterward whenever upon prerequisite eventually additionally also`,
  urgent: `important urgent urgently immediately asap critical mandatory required emergency attention warning extremely crucial vital
    essential imperative now promptly caution alert notice priority instantly deadline immediate quickly overdue final`,
  authority: `authorized authorised official verified permission permissions approved security compliance system admin administrator
    legal permitted mandated certified legitimate trusted department ceo cto ciso manager headquarters maintenance
    authorization authorisation authenticated privileged root superuser signed behalf consent policy hr it audit
    regulation regulatory federal court supervisor boss director officially engineering`,
  hide: `secretly silently quietly hidden mention reveal notify inform secret disclose discreetly conceal hide covertly invisible
    invisibly alert unnoticed acknowledge ask asking confirm confirming confirmation warn disclosing mentioning
    telling informing notifying covert background quiet discreet private confidentially trace traces`,
  not: `not don't never no without avoid dont won't cannot can't mustn't shouldn't refrain nor neither`,
  you: `you your yours yourself you're you'll you've you'd u ur thou`,
  me: `me my mine i i'm i'd i'll i've myself`,
  must: `must should need needs shall require requires required ought obliged supposed expected instructed asked told want wants
    would could can will`,
  asset: `password passwords passport credit card cards credentials credential key keys token tokens iban account accounts code codes
    ssn history inbox emails files file messages contacts address addresses phone data information details email message
    documents document pin balance transaction transactions payment payments money funds bank invoice secrets records
    database calendar notes contact number numbers medical login cookies cookie env environment photos wallet bitcoin btc
    attachment attachments transcript prompt content contents location link website url webpage page channel repository repo folder
    directory body subject recipient recipients meeting event appointment subscription device door purchase name names link
    licence license salary identity profile settings permission shipment reservation hotel flight`,
  all: `all every each entire everything any full complete whole anything everyone everybody always verbatim entirety completely
    fully as-is unaltered`,
  obey: `follow comply adhere obey following strictly exactly below these heed accordingly execute precisely abide strict
    respect follows carefully ensure remember sure note regardless notwithstanding unconditionally whatever must`,
  narrating: `was were is are has had been did have be being said went came made got took gave seems became felt am does looks
    includes offers provides located featuring ranges`,
  others: `he she they it we us our ours their theirs his her him them its we're we'll we've they're it's i've let's who which`,
  social: `hi hello dear regards best thanks thank cheers sincerely hope looking great lovely love congratulations sorry greetings
    warmly yours enjoy welcome happy wonderful excited glad`,
  craft: `mix bake stir preheat chop simmer boil whisk pour slice cook serve drain season heat garnish cool knead spread roast fry
    dough oven tablespoon teaspoon cup cups tbsp tsp tighten screw attach drill sand glue fold cut press plug unplug assemble
    npm pip brew apt-get apt yarn docker make cmake cargo sudo cd mkdir git clone build compile import export
    pack bring wear rinse wash dry soak plant water prune measure insert rotate lift hold relax breathe stretch repeat walk
    ride drive turn stay try taste sprinkle combine beat melt refrigerate grill marinate`,
}
