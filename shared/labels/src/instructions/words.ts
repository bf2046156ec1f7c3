import { HASH_BASIS, HASH_PRIME } from '../text/tokens.js'
import { type WordClass, CLASSES, CLASS_COUNT, bitOf } from './features.js'

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

/** The most telling words of other languages: German, French, Spanish, Italian, Portuguese, Dutch, in turn; some Russian and Polish. */
export const otherLanguages: Readonly<Partial<Record<WordClass, string>>> = {
  send: `sende senden schicke schicken sende überweise überweisen leite maile teile zahle
    envoie envoyez envoyer transfère transférez transférer virez partage partagez publiez payez transmets transmettez
    envía enviar envíe envia reenvía transfiere transferir transfiera comparte publica paga pague reenvíe comparta
    invia inviare inoltra trasferisci paga condividi pubblica spedisci inoltrare
    envie encaminhe transfira compartilhe publique pague encaminhar
    stuur sturen verstuur doorsturen betaal deel verzend
    отправь отправьте перешли перешлите переведи переведите wyślij prześlij przelej udostępnij`,
  change: `lösche löschen ändere ändern erstelle entferne füge setze buche kaufe aktualisiere storniere ersetze
    supprime supprimez supprimer modifiez modifie change changez crée créez ajoute ajoutez réservez achète annulez remplacez
    borra borrar elimina eliminar elimine cambia cambiar cambie crea cree añade agrega reserva compra cancela actualiza modifique
    cancella elimina modifica cambia crea aggiungi prenota acquista aggiorna
    apague exclua altere mude crie adicione reserve compre atualize cancele
    verwijder wijzig maak voeg boek koop annuleer
    удали удалите измени измените создай usuń zmień utwórz dodaj`,
  fetch: `suche finde öffne lies rufe besuche lade hole prüfe lese sammle
    cherche cherchez ouvre ouvrez lis lisez visitez récupère récupérez télécharge téléchargez collecte collectez consultez
    busca abre lee visita descarga obtén recopila consulta revisa lea
    cerca apri leggi visita scarica recupera raccogli controlla
    busque abra leia visite baixe obtenha colete
    zoek open lees bezoek download haal verzamel
    найди найдите открой прочитай znajdź otwórz przeczytaj pobierz`,
  say: `sage antworte schreibe nenne erkläre empfehle gib dis dites réponds répondez écris écrivez recommandez affiche indiquez
    di diga responde responda escribe escriba recomienda recomiende muestra menciona
    rispondi scrivi consiglia mostra dica diga responda escreva recomende mostre zeg antwoord schrijf toon
    скажи ответь напиши powiedz odpowiedz napisz`,
  run: `führe ausführen benutze verwende nutze mache exécute exécutez utilise utilisez fais faites effectue effectuez
    ejecuta ejecute usa utiliza utilice haz haga realiza realice esegui usa utilizza fai
    execute use utilize faça realize voer gebruik doe выполни выполните используй wykonaj użyj`,
  courtesy: `bitte plaît svp veuillez merci favor gracias cortesia gentilmente alstublieft alsjeblieft пожалуйста proszę`,
  override: `ignoriere ignorieren ignoriert vergiss vergessen stattdessen überschreibe missachte
    ignore ignorez oublie oubliez plutôt outrepasse ignora ignore olvida olvide omite omita lugar anula descarta
    ignorare dimentica invece tralascia ignora esqueça desconsidere vez negeer vergeet plaats
    игнорируй игнорируйте забудь вместо zignoruj zapomnij zamiast pomiń`,
  prior: `vorherigen vorherige bisherigen bisherige früheren obigen vorigen précédentes précédente précédents antérieures
    anteriores anterior previas previos precedenti precedente eerdere vorige bovenstaande
    предыдущие предыдущих poprzednie poprzednich wcześniejsze`,
  directive: `anweisung anweisungen befehl befehle regel regeln vorgaben richtlinien anleitung
    consigne consignes règles directives instrucción instrucciones reglas directrices órdenes
    istruzioni istruzione regole direttive instruções instrução regras diretrizes instructies opdrachten regels
    инструкции инструкций правила instrukcje polecenia polecenie zasady`,
  model: `assistent ki modell agenten sprachmodell asistente ia modelo agente assistente modello assistant modèle
    assistent ассистент модель asystencie asystent`,
  user: `nutzer benutzer anwender utilisateur usuario utente usuário gebruiker пользователь пользователя użytkownik użytkownika`,
  task: `aufgabe aufgaben anfrage tâche tâches demande tarea tareas solicitud compito richiesta attività tarefa tarefas taak
    opdracht задача задачу zadanie`,
  tool: `werkzeug funktion outil fonction herramienta función strumento funzione ferramenta função hulpmiddel инструмент narzędzie`,
  order: `bevor nachdem zuerst danach anschließend zunächst avant après abord ensuite antes después primero luego
    prima dopo innanzitutto poi depois primeiro voordat nadat eerst daarna прежде сначала затем zanim najpierw potem`,
  urgent: `wichtig dringend sofort unverzüglich achtung immédiatement urgence attention obligatoire
    importante urgente inmediatamente atención ya subito immediatamente attenzione imediatamente atenção
    belangrijk onmiddellijk dringend важно срочно немедленно ważne pilne natychmiast`,
  authority: `administrator sicherheit genehmigt autorisiert offiziell système autorisé sécurité officiel
    sistema autorizado seguridad oficial autorizzato sicurezza ufficiale segurança beveiliging
    администратор система системное безопасности administratora systemowy bezpieczeństwa`,
  hide: `heimlich erwähne verrate informiere unauffällig discrètement mentionne mentionnez informer préviens
    secretamente menciones informes avises discretamente segretamente menzionare avvisare informare
    mencione informe segredo vermeld stiekem сообщай упоминай wspominaj informuj`,
  not: `nicht kein keine niemals ohne ne pas jamais sans aucun nunca ningún sin non mai senza nessun não sem
    niet geen nooit zonder не никогда без nie nigdy bez`,
  you: `du dein deine deinen dir dich sie ihre ihren ihnen tu ton ta tes vous votre vos toi tú tu usted sus te
    tuo tua tuoi voi vostro você seu sua jij je jouw ты вы твои ваш ty twoje twój`,
  me: `mich mir mein meine meinen ich moi mon ma mes je mí mi mis yo mio mia miei io meu minha meus eu mij mijn ik мне мой я mnie mój moje`,
  must: `musst müssen sollst sollen doit dois devez debe debes tienes deve devi dovete devono deve moet должен musisz należy`,
  asset: `passwort passwörter kennwort konto daten nachricht nachrichten dateien datei e-mails zugangsdaten kreditkarte schlüssel betrag
    compte données mots fichiers fichier messages carte courriel courriels coordonnées
    contraseña contraseñas cuenta datos correo correos archivos archivo mensajes tarjeta clave
    dati messaggi conto carta posta senha senhas conta dados mensagens arquivos cartão
    wachtwoord rekening gegevens berichten bestanden пароль пароли данные письма файлы hasło hasła dane wiadomości pliki`,
  all: `alle alles jede jeden gesamten sämtliche tous toutes tout toute chaque todos todas todo toda cada
    tutti tutte tutto ogni tudo alle elke все всё wszystkie wszystko`,
  obey: `folge befolge folgende folgenden unbedingt suivez suivantes suivante impérativement sigue siga siguientes siguiente
    obedece segui seguenti seguente siga seguintes volg volgende следуй следующие wykonaj następujące`,
  narrating: `ist sind war waren hat haben wurde wird est sont était été sera es son era fue está hay è sono stato foi é são is zijn werd было есть jest są był`,
  others: `er wir uns unser ihr ihm il elle nous notre ils nos nosotros ellos noi loro nós wij ons мы они my oni`,
  social: `hallo liebe lieber grüße danke gruß bonjour cordialement merci hola saludos gracias ciao saluti grazie olá obrigado
    groeten bedankt привет спасибо cześć dziękuję pozdrawiam`,
  craft: `rühren backen schneiden kochen mélanger cuire ajouter couper mezclar hornear cortar cuocere tagliare mescolare`,
}

/** Slots of the table of known words, a power of two; a third of them are taken. */
const SLOTS = 8_192

/** Key and mask side by side: one look-up touches one line of the processor's cache. */
const table = new Int32Array(SLOTS * 2)
const LAST = SLOTS * 2 - 2
const FILTERED = 8_191

/** A bit for each key: most words that no list has end here, in a kilobyte that stays in the cache. */
const filter = new Int32Array(256)
/** A bit for the first three letters of what may be misspelt, another for its last three. */
const heads = new Int32Array(1_024)
const tails = new Int32Array(1_024)

/** Words as long as this are known with a letter wrong, added or lost, too: by their two ends. */
const LONG = 9
const HEAD = 6
const TAIL = 7

/** Stands for the first letters and the last one. */
const headKey = (text: string, start: number, end: number): number =>
  (hashOf(text, start, start + HEAD) * 31 + hashOf(text, end - 1, end)) | 1
/** Stands for the first letter and the last ones. */
const tailKey = (text: string, start: number, end: number): number =>
  (hashOf(text, end - TAIL, end) * 29 + hashOf(text, start, start + 1)) & ~1

/** Whose words intruders misspell, so that no list has them. */
const MISSPELT = bitOf('override', 'prior', 'directive', 'model', 'urgent', 'authority', 'order')

for (const lexicon of [english, otherLanguages])
  for (let index = 0; index < CLASS_COUNT; index++) {
    const name = CLASSES[index]
    const words = name === undefined ? undefined : lexicon[name]
    for (const word of words?.split(/\s+/) ?? []) learn(word, 1 << index)
  }

function learn(word: string, bit: number): void {
  const hash = hashOf(word, 0, word.length)
  add(hash, bit)
  if (word.length < LONG || (bit & MISSPELT) === 0) return
  add(headKey(word, 0, word.length), bit)
  add(tailKey(word, 0, word.length), bit)
  for (const form of [word, word.replaceAll("'", '’')]) {
    setBit(heads, lettersAt(form, 0))
    setBit(tails, lettersAt(form, form.length - 3))
  }
}

/** Fifteen bits of three letters, capitals as small ones; of anything else some bits. */
function lettersAt(text: string, at: number): number {
  const [first, second] = [text.charCodeAt(at) & 31, text.charCodeAt(at + 1) & 31]
  return (first << 10) | (second << 5) | (text.charCodeAt(at + 2) & 31)
}

function setBit(bits: Int32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31))
}
const hasBit = (bits: Int32Array, at: number): boolean => (((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1) !== 0

function add(key: number, bit: number): void {
  const slot = slotOf(key)
  table[slot] = key
  table[slot + 1] = (table[slot + 1] ?? 0) | bit
  setBit(filter, key & FILTERED)
}

/** Where `hash` is, else the free place where it would go. */
function slotOf(hash: number): number {
  let slot = (hash << 1) & LAST
  while (table[slot] !== hash && table[slot] !== 0) slot = (slot + 2) & LAST
  return slot
}

/** A word's hash, never 0: capitals and small letters alike, the typographic apostrophe as the plain one. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = HASH_BASIS
  for (let at = start; at < end; at++) {
    let code = text.charCodeAt(at)
    if (code < 0x5b) {
      if (code > 0x40) code += 32
    } else if (code > 0xbf) code = foldWide(code)
    hash = Math.imul(hash ^ code, HASH_PRIME)
  }
  return mixed(hash)
}

/** From what a scanner gives of a plain token. */
export function mixed(hash: number): number {
  const mix = hash ^ (hash >>> 15)
  return mix === 0 ? 1 : mix
}

function foldWide(code: number): number {
  if (code < 0xdf) return code + 32
  if (code === 0x2019) return 0x27
  return code >= 0x410 && code < 0x430 ? code + 32 : code
}

/** What a long word that no list has may be misspelt for, as a mask of classes. */
export function classesOfMisspelt(text: string, start: number, end: number): number {
  if (end - start < LONG - 1) return 0
  const head = hasBit(heads, lettersAt(text, start)) ? masked(headKey(text, start, end)) : 0
  if (head !== 0 || !hasBit(tails, lettersAt(text, end - 3))) return head
  return masked(tailKey(text, start, end))
}

const masked = (key: number): number => table[slotOf(key) + 1] ?? 0

/** What a word of this hash is, as a mask of classes; 0 for a word that no list has. */
export const classesOf = (hash: number): number => (hasBit(filter, hash & FILTERED) ? masked(hash) : 0)

/** Stands for the lists as they are: a model fitted with others must not be used with these. */
export const LEXICON_HASH = hashOfTable()

function hashOfTable(): number {
  let hash = 0
  for (const part of table) hash = (Math.imul(hash, 31) + part) | 0
  return hash
}
