const outdated = {
  en: "This page does not fit the server. Load it again.",
  it: "Questa pagina non corrisponde al server. Ricaricala.",
} as const;
const unavailable = {
  en: "The server cannot answer now. Try again in a moment.",
  it: "Il server ora non può rispondere. Riprova tra poco.",
} as const;
const signedOut = {
  en: "You are signed out. Sign in to go on.",
  it: "La sessione è finita. Accedi per continuare.",
} as const;

/** What each reason of the server's errors means to people: `ErrorInfo.reason`. A test finds them all in its sources. */
export const words = {
  ACCESS_ENDED: {
    en: "Your access to these readings has ended.",
    it: "Il tuo accesso a queste misure è terminato.",
  },
  ACCESS_STATE: {
    en: "This request is in another state by now. Load the page again.",
    it: "Nel frattempo lo stato di questa richiesta è cambiato. Ricarica la pagina.",
  },
  ACCOUNT_DISABLED: {
    en: "An administrator has disabled this account, and a mail has said why. A person can still sign in, see and end what was granted, export the readings and leave; nothing else is possible.",
    it: "Un amministratore ha disattivato questo account e ne ha comunicato il motivo per e-mail. Una persona può ancora accedere, vedere e revocare ciò che ha concesso, esportare le misure ed eliminare l’account; nient’altro è possibile.",
  },
  ALREADY_EXISTS: { en: "This exists already.", it: "Esiste già." },
  BAD_FILE: {
    en: "Something in a file cannot be read. Nothing was imported.",
    it: "Qualcosa in un file non si può leggere. Non è stato importato nulla.",
  },
  BODY_TOO_SLOW: {
    en: "What you sent came too slowly. Try again over a better connection.",
    it: "L’invio è stato troppo lento. Riprova con una connessione migliore.",
  },
  CALL_OVER: { en: "This call is closed already.", it: "Questa chiamata è già chiusa." },
  CALL_TAKEN: { en: "Somebody else has this call.", it: "Questa chiamata è già stata presa da altri." },
  CHECKS_FAILED: {
    en: "These figures do not pass the checks. They can be published with a reason, which visitors see.",
    it: "Questi dati non superano i controlli. Si possono pubblicare con una motivazione, che i visitatori vedono.",
  },
  CODE_UNKNOWN: {
    en: "This code is unknown or has expired.",
    it: "Questo codice è sconosciuto o scaduto.",
  },
  CODE_USED: { en: "This code was used already.", it: "Questo codice è già stato usato." },
  CODE_WITHDRAWN: { en: "This code was withdrawn.", it: "Questo codice è stato ritirato." },
  COMPRESSION: outdated,
  CONTACT_REFUSED: {
    en: "This was refused with the same link before, for good.",
    it: "Con questo link hai già rifiutato, e il rifiuto è definitivo.",
  },
  COURSE_TOO_LONG: {
    en: "The course is too long: 50 km at most.",
    it: "Il percorso è troppo lungo: al massimo 50 km.",
  },
  DATABASE_GONE: unavailable,
  DATABASE_TIMEOUT: unavailable,
  DELIVERY_FIXED: {
    en: "The way in which this subscription delivers cannot change. Cancel it and make another one.",
    it: "Il modo di consegna di questo abbonamento non si può cambiare. Annullalo e creane un altro.",
  },
  DEVICE_EXISTS: {
    en: "This device was added already, and its token was shown then. If it is lost, revoke the device and add it anew.",
    it: "Questo dispositivo è già stato aggiunto e il suo token è già stato mostrato. Se lo hai perso, revoca il dispositivo e aggiungilo di nuovo.",
  },
  DISK_FULL: {
    en: "The server’s disk is nearly full, so it keeps no new readings. Send them again later.",
    it: "Il disco del server è quasi pieno e non conserva nuove misure. Inviale di nuovo più tardi.",
  },
  EMAIL_TAKEN: {
    en: "Another account has this e-mail address.",
    it: "Un altro account usa già questo indirizzo e-mail.",
  },
  EMERGENCY_OVER: { en: "This emergency is over already.", it: "Questa emergenza è già conclusa." },
  FOREIGN_PAGE: {
    en: "The browser does not say that this call came from a page of this server. Load the page again.",
    it: "Il browser non indica che la richiesta viene da una pagina di questo server. Ricarica la pagina.",
  },
  GROUP_TOO_SMALL: {
    en: "The group is too small for an anonymous answer. Ask about a larger one.",
    it: "Il gruppo è troppo piccolo per una risposta anonima. Chiedi di un gruppo più ampio.",
  },
  IMPORT_RUNNING: {
    en: "Another import is running. Try again when it is done.",
    it: "È in corso un’altra importazione. Riprova quando è finita.",
  },
  IMPORT_TOO_LARGE: {
    en: "These files are too large to be imported at once.",
    it: "Questi file sono troppo grandi per essere importati insieme.",
  },
  INVALID_ARGUMENT: {
    en: "The server has refused what was entered.",
    it: "Il server ha rifiutato i dati inseriti.",
  },
  INVALID_ENVELOPE: outdated,
  INVALID_MESSAGE: outdated,
  LAST_ADMINISTRATOR: {
    en: "You are the only administrator. Make another one before you leave.",
    it: "Sei l’unico amministratore. Creane un altro prima di andartene.",
  },
  LAST_ORGANIZER: {
    en: "A race needs an organiser. Add another one first.",
    it: "Una gara ha bisogno di un organizzatore. Prima aggiungine un altro.",
  },
  LOG_BEHIND: {
    en: "The server has not heard of the newest readings yet. Try again in a moment.",
    it: "Il server non ha ancora ricevuto le misure più recenti. Riprova tra poco.",
  },
  LOG_IN_LOCKED: {
    en: "There were too many wrong passwords. Wait a minute, then try again.",
    it: "Troppe password errate. Aspetta un minuto e riprova.",
  },
  MESSAGE_TOO_LONG: {
    en: "What you want to send is too long.",
    it: "Quello che vuoi inviare è troppo lungo.",
  },
  NO_ACCESS_REQUEST: {
    en: "There is no such request of yours.",
    it: "Non hai nessuna richiesta di questo tipo.",
  },
  NAME_OF_ANOTHER: {
    en: "This code was issued to somebody of another name.",
    it: "Questo codice è stato emesso a un altro nome.",
  },
  NO_ACCOUNT: {
    en: "This is for people with an account, and yours is not there any more.",
    it: "Serve un account, e il tuo non esiste più.",
  },
  NO_CALL: { en: "There is no such call at your desk.", it: "Questa chiamata non esiste alla tua postazione." },
  NO_CONTACT_CODE: {
    en: "This link is wrong or too old. Ask whoever named you as a contact to do so again.",
    it: "Questo link è errato o troppo vecchio. Chiedi a chi ti ha indicato come contatto di farlo di nuovo.",
  },
  NO_DESK: {
    en: "This server calls no emergency service.",
    it: "Questo server non chiama nessun servizio di emergenza.",
  },
  NO_EMERGENCY: { en: "You have no such emergency.", it: "Non hai nessuna emergenza di questo tipo." },
  NO_EXERTION: { en: "You have no such exertion.", it: "Non hai nessuno sforzo di questo tipo." },
  NO_FIGURES: {
    en: "No figures have been published here yet.",
    it: "Qui non sono ancora stati pubblicati dati.",
  },
  NO_GROUPS: {
    en: "This server answers no questions about groups.",
    it: "Questo server non risponde a domande sui gruppi.",
  },
  NO_MESSAGE: outdated,
  NO_PAYMENT_PROVIDER: {
    en: "The race has a fee, and this server cannot take payments.",
    it: "La gara ha una quota e questo server non può ricevere pagamenti.",
  },
  NO_RACE: {
    en: "There is no such race, or you may not see it.",
    it: "Questa gara non esiste, o non puoi vederla.",
  },
  NO_RECEIPT: {
    en: "There is no such receipt. Look whether you have copied all of it.",
    it: "Questa ricevuta non esiste. Controlla di averla copiata per intero.",
  },
  NO_RUNNER: { en: "No runner of this race has this number.", it: "Nessun concorrente di questa gara ha questo numero." },
  NO_SESSION: signedOut,
  NO_SUBSCRIPTION: { en: "There is no such subscription of yours.", it: "Non hai nessun abbonamento di questo tipo." },
  NO_SUCH_ACCOUNT: {
    en: "There is no person and no third party of this number or name.",
    it: "Non c’è nessuna persona né terza parte con questo numero o nome.",
  },
  NO_SUCH_BRIDGE: { en: "There is no bridge with this number.", it: "Non c’è nessun bridge con questo numero." },
  NO_SUCH_CODE: { en: "There is no code of this number.", it: "Non c’è nessun codice con questo numero." },
  NO_SUCH_DESK_OPERATOR: {
    en: "There is nobody at a desk with this number.",
    it: "A nessuna postazione c’è un operatore con questo numero.",
  },
  NO_SUCH_DISPATCHER: {
    en: "There is no dispatcher with this number.",
    it: "Non c’è nessuna centrale con questo numero.",
  },
  NO_SUCH_PERSON: {
    en: "Nobody who could be asked has this fiscal code.",
    it: "Nessuna persona a cui si possa chiedere ha questo codice fiscale.",
  },
  NO_SUCH_RELEASE: {
    en: "There is no such release of figures.",
    it: "Non c’è nessuna pubblicazione dei dati con questo numero.",
  },
  NO_SUCH_TERRITORY: {
    en: "These figures have no such territory.",
    it: "Questi dati non comprendono questo territorio.",
  },
  NO_SUCH_VOICE: {
    en: "These figures have no such expenditure code.",
    it: "Questi dati non comprendono questa voce di spesa.",
  },
  NO_WAY: {
    en: "No way for runners leads from one of these places to the next.",
    it: "Nessuna via percorribile a piedi collega questi punti.",
  },
  NOT_BY_INVITATION: {
    en: "Everybody can enrol in this race, so it has no private link.",
    it: "A questa gara può iscriversi chiunque, quindi non ha un link privato.",
  },
  NOT_ENROLLED: { en: "You are not enrolled in this race.", it: "Non hai un’iscrizione a questa gara." },
  NOT_GRANTED: { en: "You were not granted these readings.", it: "L’accesso a queste misure non ti è stato concesso." },
  NOT_INVITED: {
    en: "Only those who were invited can enrol, by their private link.",
    it: "Può iscriversi solo chi è stato invitato, con il link privato.",
  },
  NOT_ORGANIZER: { en: "Only organisers of the race can do this.", it: "Può farlo solo chi organizza la gara." },
  NOT_PERMITTED: {
    en: "Your account may not see or do this.",
    it: "Il tuo account non può vedere o fare questo.",
  },
  ONE_MESSAGE: outdated,
  OPENID_ALREADY_LINKED: {
    en: "This sign-in is linked with another account, or your account with another sign-in.",
    it: "Questo accesso è collegato a un altro account, o il tuo account a un altro accesso.",
  },
  OPENID_ISSUER_UNAVAILABLE: {
    en: "The sign-in service cannot be reached now. Try again later, or use your password.",
    it: "Il servizio di accesso ora non è raggiungibile. Riprova più tardi o usa la password.",
  },
  OPENID_NOT_CONFIGURED: {
    en: "This server knows no other way to sign in than a password.",
    it: "Su questo server si accede soltanto con la password.",
  },
  OPENID_NOT_LINKED: {
    en: "No account is linked with this sign-in. Sign in with your password, then link it in the settings.",
    it: "Nessun account è collegato a questo accesso. Accedi con la password, poi collegalo nelle impostazioni.",
  },
  OPENID_TOKEN_INVALID: {
    en: "The sign-in has failed or took too long. Begin again.",
    it: "L’accesso non è riuscito o ha richiesto troppo tempo. Ricomincia.",
  },
  OUTCOME_UNKNOWN: {
    en: "It is not known whether this was done. Load the page again and see.",
    it: "Non è certo che l’operazione sia riuscita. Ricarica la pagina per controllare.",
  },
  PASSWORD_CHANGE_DUE: {
    en: "Somebody else has chosen your password. Choose one of your own first, in the settings.",
    it: "La tua password è stata scelta da altri. Prima scegline una tua, nelle impostazioni.",
  },
  PASSWORD_CHANGED: {
    en: "The account was changed elsewhere in the meantime. Load the page again.",
    it: "Nel frattempo l’account è stato modificato altrove. Ricarica la pagina.",
  },
  PAYMENT_DUE: {
    en: "This has a price. Pay it first, then load it.",
    it: "Questo ha un prezzo. Prima paga, poi scaricalo.",
  },
  PAYMENT_NOT_USABLE: {
    en: "This payment is not for this question.",
    it: "Questo pagamento non vale per questa domanda.",
  },
  PRIVACY_BUDGET_SPENT: {
    en: "The answer would tell more than may be told this year. A new budget begins on 1 January.",
    it: "La risposta rivelerebbe più di quanto si possa dire quest’anno. Il 1º gennaio comincia un nuovo budget.",
  },
  PROTOCOL_VERSION: outdated,
  QUERY: outdated,
  QUESTIONS_HAVE_PRICE: {
    en: "Questions about groups have a price here, which a subscription cannot pay. Ask one question at a time.",
    it: "Qui le domande sui gruppi hanno un prezzo, che un abbonamento non può pagare. Fai una domanda alla volta.",
  },
  RACE_BUSY: {
    en: "Others are changing this race. Try again.",
    it: "Altri stanno modificando questa gara. Riprova.",
  },
  RACE_CHANGED_OFTEN: {
    en: "Dates and course of this race have changed too often today. Try again tomorrow.",
    it: "Date e percorso di questa gara sono già cambiati troppe volte oggi. Riprova domani.",
  },
  RACE_DATES: {
    en: "The deadline for enrolment is over. Change the dates first.",
    it: "Il termine per le iscrizioni è passato. Prima cambia le date.",
  },
  RACE_STATE: {
    en: "This is not possible as the race is now.",
    it: "Con la gara nello stato attuale non è possibile.",
  },
  REFRESH_TOKEN_NOT_VALID: signedOut,
  RELEASE_PUBLISHED: {
    en: "This release is published already.",
    it: "Questa edizione è già pubblicata.",
  },
  REQUEST_ID_USED: {
    en: "This was made already, and its secret was shown then.",
    it: "È già stato creato, e il suo segreto è già stato mostrato.",
  },
  RESEND: {
    en: "It is not known whether this was kept. Send it again.",
    it: "Non è certo che sia stato registrato. Invialo di nuovo.",
  },
  SESSION_ENDED: signedOut,
  SHUTTING_DOWN: {
    en: "The server is starting again. Try again in a moment.",
    it: "Il server si sta riavviando. Riprova tra poco.",
  },
  STALE_ETAG: {
    en: "This was changed elsewhere in the meantime. Load the page again, and decide again.",
    it: "Nel frattempo è stato modificato altrove. Ricarica la pagina e decidi di nuovo.",
  },
  SUBSCRIPTION_CHANGED: {
    en: "This subscription has changed. Load the page again.",
    it: "Questo abbonamento è cambiato. Ricarica la pagina.",
  },
  SUBSCRIPTION_ENDED: { en: "This subscription has ended.", it: "Questo abbonamento è terminato." },
  SUPERSEDED: {
    en: "Another window has taken over.",
    it: "Un’altra finestra ha preso il posto di questa.",
  },
  TIMEOUT: outdated,
  TOO_BUSY: {
    en: "The server has too much to do. Try again in a moment.",
    it: "Il server ha troppo da fare. Riprova tra poco.",
  },
  TOO_LATE: {
    en: "An emergency can be cancelled within ten minutes. Tell those who help that you are well.",
    it: "Un’emergenza si può annullare entro dieci minuti. Di’ ai soccorritori che stai bene.",
  },
  TOO_MANY_ANSWERS: {
    en: "This call was answered too often. It can only be closed now.",
    it: "Questa chiamata ha già avuto troppe risposte. Ora si può solo chiudere.",
  },
  TOO_MANY_BRIDGES: {
    en: "You have as many bridges as one person may. Remove one first.",
    it: "Hai già il numero massimo di bridge. Prima rimuovine uno.",
  },
  TOO_MANY_CALLS: {
    en: "Too many pages of your account are open at once. Close some of them.",
    it: "Troppe pagine del tuo account sono aperte insieme. Chiudine qualcuna.",
  },
  TOO_MANY_CHANGES: {
    en: "You have changed this too often today. You can still withdraw everything; for anything else try again tomorrow.",
    it: "Oggi l’hai già cambiato troppe volte. Puoi ancora revocare tutto; per il resto riprova domani.",
  },
  TOO_MANY_CONTACT_ANSWERS: {
    en: "There were too many answers from your network. Wait a minute, then try again.",
    it: "Troppe risposte dalla tua rete. Aspetta un minuto e riprova.",
  },
  TOO_MANY_DESK_OPERATORS: {
    en: "This desk has as many people as it may.",
    it: "Questa postazione ha già il numero massimo di operatori.",
  },
  TOO_MANY_DEVICES: {
    en: "You have as many devices as one person may. Revoke one first.",
    it: "Hai già il numero massimo di dispositivi. Prima revocane uno.",
  },
  TOO_MANY_EXERTIONS: {
    en: "You have announced as many exertions as you may. End one first.",
    it: "Hai già annunciato il numero massimo di sforzi. Prima terminane uno.",
  },
  TOO_MANY_INVITATIONS: {
    en: "You have invited as many people as you may today. Try again tomorrow.",
    it: "Oggi hai già invitato il numero massimo di persone. Riprova domani.",
  },
  TOO_MANY_INVITED: {
    en: "As many people are invited to this race as may be.",
    it: "Questa gara ha già il numero massimo di persone invitate.",
  },
  TOO_MANY_LOOKUPS: {
    en: "Too many fiscal codes have led to nobody. Try again in an hour.",
    it: "Troppi codici fiscali non corrispondono a nessuno. Riprova tra un’ora.",
  },
  TOO_MANY_METRICS: {
    en: "There is no room for another kind of reading.",
    it: "Non c’è posto per un altro tipo di misura.",
  },
  TOO_MANY_NAMES: {
    en: "Too many programs have sent readings for this person.",
    it: "Troppi programmi hanno inviato misure per questa persona.",
  },
  TOO_MANY_ORGANIZERS: {
    en: "This race has as many organisers as it may.",
    it: "Questa gara ha già il numero massimo di organizzatori.",
  },
  TOO_MANY_PAYMENTS: {
    en: "Too many of your answers wait to be paid or read. Finish those first.",
    it: "Troppe tue risposte aspettano di essere pagate o lette. Prima completa quelle.",
  },
  TOO_MANY_PLANS: {
    en: "You have planned too many routes in a minute. Wait a moment.",
    it: "Hai calcolato troppi percorsi in un minuto. Aspetta un momento.",
  },
  TOO_MANY_QUESTIONS: {
    en: "You have asked for too much at once. Wait until some of it is answered.",
    it: "Hai chiesto troppe cose insieme. Aspetta che arrivi qualche risposta.",
  },
  TOO_MANY_RACES: {
    en: "This person organises as many races as one may. Wait until one is over, or cancel one.",
    it: "Questa persona organizza già il numero massimo di gare. Aspetta che una finisca, o annullane una.",
  },
  TOO_MANY_REGISTRATIONS: {
    en: "There were too many registrations from your network. Wait a minute, then try again.",
    it: "Troppe registrazioni dalla tua rete. Aspetta un minuto e riprova.",
  },
  TOO_MANY_REQUESTS: {
    en: "Too many requests wait for an answer. Withdraw one, or wait until some are answered.",
    it: "Troppe richieste aspettano una risposta. Ritirane una o aspetta che arrivi qualche risposta.",
  },
  TOO_MANY_SPECTATORS: {
    en: "As many people watch this race as can. Try again in a moment.",
    it: "Questa gara ha già il numero massimo di spettatori. Riprova tra poco.",
  },
  TOO_MANY_STREETS: {
    en: "Finding a way takes too long. Put the stages nearer to each other.",
    it: "Trovare un percorso richiede troppo tempo. Avvicina le tappe tra loro.",
  },
  TOO_MANY_SUBSCRIPTIONS: {
    en: "You have as many active subscriptions as you may. Cancel one first.",
    it: "Hai già il numero massimo di abbonamenti attivi. Prima annullane uno.",
  },
  TOO_MANY_WATCHED_RACES: {
    en: "Too many races are watched on this server. Try again in a moment.",
    it: "Su questo server si seguono già troppe gare. Riprova tra poco.",
  },
  TOO_MANY_WRONG_PASSWORDS: {
    en: "There were too many wrong passwords from your network. Wait a minute, then try again.",
    it: "Troppe password errate dalla tua rete. Aspetta un minuto e riprova.",
  },
  TOO_SLOW: {
    en: "The connection is too slow for what is to be shown. Load the page again.",
    it: "La connessione è troppo lenta per quello che c’è da mostrare. Ricarica la pagina.",
  },
  UNAUTHENTICATED: signedOut,
  UNKNOWN_BRIDGE: {
    en: "There is no bridge with this number. Ask its maker for the right one.",
    it: "Non c’è nessun bridge con questo numero. Chiedi quello giusto a chi lo gestisce.",
  },
  UNKNOWN_DEVICE: { en: "You have no such device any more.", it: "Non hai più questo dispositivo." },
  UNKNOWN_SERVICE: outdated,
  UPLOAD_TOO_LONG: { en: "This file is too long.", it: "Questo file è troppo lungo." },
  USERNAME_TAKEN: {
    en: "This name is taken. Choose another one.",
    it: "Questo nome è già in uso. Scegline un altro.",
  },
  WRONG_NAME_OR_PASSWORD: {
    en: "The name or the password is wrong.",
    it: "Il nome o la password non sono corretti.",
  },
  WRONG_PASSWORD: { en: "The password is wrong.", it: "La password non è corretta." },
} as const;
