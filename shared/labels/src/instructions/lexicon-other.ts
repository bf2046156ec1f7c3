import type { WordClass } from './classes.js'

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
