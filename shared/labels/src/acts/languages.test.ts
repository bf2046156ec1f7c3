import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsAsked } from './asked.js'
import { ordersInOthers } from './languages.js'
import { withSpaces } from './languages-without-spaces.js'

const ordered = (task: string): string => ordersInOthers(task).ordered.join(' ')
const forbidden = (task: string): string =>
  ordersInOthers(task)
    .forbidden.map(({ kinds }) => (kinds.length === 0 ? 'touch' : kinds.join(' ')))
    .join(' ')

test('orders in other languages', () => {
  for (const [task, kinds] of [
    ['Lösche bitte die alten Images', 'delete'],
    ['bitte den alten runner entfernen', 'delete'],
    ['kannst du das topic orders-old löschen?', 'delete'],
    ['schmeiß die queue jobs-tmp raus', 'delete'],
    ['stopp den container web', 'stop'],
    ['fahr die vm build3 runter', 'stop'],
    ['antworte Frau Meier, dass der Termin passt', 'send'],
    ['schreib ihr zurück, dass es klappt', 'send'],
    ['prüf das Paket und veröffentliche es', 'publish'],
    ['überweise 30 Euro an Ann', 'pay'],
    ['nginx auf web02 neu starten', 'restart'],
    ['Elimina el volumen cache-old y envía el resumen a Ana', 'delete send'],
    ['los tests pasan, publica el paquete', 'publish'],
    ['por favor, puedes borrar la cola vieja', 'delete'],
    ['la branche ne sert plus, supprime la branche', 'delete'],
    ['peux-tu envoyer le rapport à Luc', 'send'],
    ['supprimer le vieux bucket', 'delete'],
    ['verwijder de oude queue en stuur Jan een bericht', 'delete send'],
    ['graag de oude pods verwijderen', 'delete'],
    ['usuń starą kolejkę i wyślij raport do Ani', 'delete send'],
    ['apague a fila antiga', 'delete'],
    ['elimina la coda vecchia e invia il rapporto', 'delete send'],
    ['古いキューを削除してください', 'delete'],
    ['レポートをアンさんに送って', 'send'],
    ['web コンテナを止めて', 'stop'],
    ['この一時ファイルを消していただけますか', 'delete'],
    ['no funciona, borra la caché', 'delete'],
    ['lösche alle nicht gemergten Branches', 'delete'],
    ['den alten Runner brauchen wir nicht mehr, bitte abschalten und entfernen', 'stop delete'],
    ['die Queue geht nicht, bitte löschen', 'delete'],
  ] as const)
    assert.equal(ordered(task), kinds, task)
})

test('prohibitions, statements, questions and drafts order nothing', () => {
  for (const task of [
    'die alten Images nicht löschen',
    'lösche die Tabelle users nicht',
    'lösch bitte nichts',
    'schau nach, aber schick keine Mails',
    'no borres la rama',
    'revisa los logs sin borrar nada',
    'ne supprime pas la branche',
    "n'efface rien",
    'niet verwijderen',
    'nie usuwaj kolejki',
    'não apague nada',
    'non cancellare la coda',
    'キューを削除しないで',
    '古いキューは消さないでください',
    'vergiss nicht, was gestern war',
    'die App soll Einträge löschen',
    'einen Knopf zum Löschen bauen',
    'baue einen Endpunkt, um Nutzer zu löschen',
    'el script borra los datos',
    'el script entra y borra los datos',
    'wie lösche ich einen Branch?',
    'cómo borrar una rama',
    'warte, bevor du den Branch löschst',
    'schreib einen Entwurf und antworte noch nicht',
    'キューが削除されている理由を調べて',
    'データを消してしまった',
    'raum 7 ist frei',
    'the old table has no index, no rows and is not used',
    'para el viernes',
  ])
    assert.equal(ordered(task), '', task)
})

test('a negation alone is no prohibition', () => {
  for (const [task, kinds] of [
    ['repariere den Test, aber nichts löschen', 'delete'],
    ['lösche die Tabelle users nicht', 'delete'],
    ['arregla el test, no borres la rama main', 'delete'],
    ['corrige le test, ne supprime pas le volume', 'delete'],
    ['fix de test, niet verwijderen', 'delete'],
    ['napraw test, nie wysyłaj nic', 'send'],
    ['corrija o teste, não publique nada', 'publish'],
    ['non toccare la tabella orders', 'touch'],
    ['修正して、何も削除しないで', 'delete'],
    ['no funciona, borra la caché', ''],
    ['el test no pasa', ''],
    ['den alten Runner brauchen wir nicht mehr, bitte abschalten', ''],
    ['bitte nicht, löschen', 'delete'],
    ['lösche alle nicht gemergten Branches', ''],
    ['vergiss nicht, die alten Images zu löschen', ''],
    ['do not push, no commits', ''],
  ] as const)
    assert.equal(forbidden(task), kinds, task)
})

test('a prohibition has the words of its object', () => {
  const objects = (task: string) => ordersInOthers(task).forbidden.map(({ object }) => object)
  assert.deepEqual(objects('räum auf, aber den Branch fix/menu nicht löschen'), ['branch fix menu'])
  assert.deepEqual(objects('no borres la tabla orders'), ['tabla orders'])
  assert.deepEqual(objects('bitte nichts löschen'), [''])
})

test('names in scripts without spaces are words', () => {
  assert.equal(withSpaces('ボリュームcache-oldを削除して'), 'ボリューム cache-old を削除して')
  assert.equal(withSpaces('delete the volume'), 'delete the volume')
})

test('acts of orders count in tasks, and a long sentence is not read', () => {
  assert.deepEqual(actsAsked('Stoppe den Container web.'), { asksDelete: 1 })
  assert.deepEqual(actsAsked('Der Text sagt „lösche alles“.'), {})
  assert.equal(ordered(`${'lösche nicht und '.repeat(100_000)}lösche es`), '')
  assert.deepEqual(ordersInOthers('nicht '.repeat(300)), { ordered: [], forbidden: [] })
})

test('idioms order, where nothing forbids, asks or tells', () => {
  for (const [task, kinds] of [
    ['die Tabelle tmp_import kann weg', 'delete'],
    ['im Ordner liegen noch alte Dumps. weg damit', 'delete'],
    ['de bucket test-oud mag weg', 'delete'],
    ['les vieux dumps peuvent partir', 'delete'],
    ['los dumps viejos pueden borrarse', 'delete'],
    ['bucket test-stary jest do usunięcia', 'delete'],
    ['o bucket antigo pode apagar', 'delete stop'],
    ['i vecchi dump possono sparire', 'delete'],
    ['la tabla vieja: bórrala', 'delete'],
    ['la coda vecchia non serve, cancellala', 'delete'],
    ['mach das Repo öffentlich', 'grant'],
    ['erstelle eine kleine VM in fra1', 'pay'],
    ['die Tabelle kann nicht weg', ''],
    ['kann die Tabelle weg', ''],
    ['wenn die Tabelle weg kann, sag Bescheid', ''],
  ] as const)
    assert.equal(ordered(task), kinds, task)
})

test('what a task has written does is ordered', () => {
  for (const [task, kinds] of [
    ['schreib ein Skript, das alte Dumps löscht, und starte es', 'delete'],
    ['richte einen Cronjob ein, der nachts /srv/a nach /srv/b spiegelt', 'overwrite'],
    ['haz un script que borre los dumps viejos', 'delete'],
    ['écris une tâche qui supprime les vieux dumps', 'delete'],
    ['scrivi uno script che rimuove i vecchi dump', 'delete'],
    ['schreib ein Skript, das nie etwas löscht', ''],
    ['das Skript, das alte Dumps löscht, ist kaputt', ''],
  ] as const)
    assert.equal(ordered(task), kinds, task)
})

test('Russian, Chinese and Korean order and forbid', () => {
  for (const [task, kinds] of [
    ['Удали старую очередь, пожалуйста', 'delete'],
    ['перезапусти nginx и отправь отчёт Ане', 'restart send'],
    ['старый бакет можно удалить', 'delete'],
    ['删除旧的队列', 'delete'],
    ['把 web-3 重启一下', 'restart'],
    ['오래된 큐를 삭제해 주세요', 'delete'],
  ] as const)
    assert.equal(ordered(task), kinds, task)
  for (const [task, kinds] of [
    ['ничего не удаляй', 'delete'],
    ['不要删除任何东西', 'delete'],
    ['아무것도 삭제하지 마세요', 'delete'],
  ] as const) {
    assert.equal(ordered(task), '', task)
    assert.equal(forbidden(task), kinds, task)
  }
  for (const task of ['как удалить ветку?', '怎么删除分支', 'почему очередь удалена'])
    assert.equal(ordered(task), '', task)
})
