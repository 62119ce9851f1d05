import type { NotificationKind } from "../api/notifications_v1.js";
import type { Language } from "../language/words.js";

/** What each kind of notification says. A kind without its sentences is an error of types. */
export const words: Readonly<
  Record<Exclude<NotificationKind, "NOTIFICATION_KIND_UNSPECIFIED">, Readonly<Record<Language, string>>>
> = {
  NOTIFICATION_KIND_REGISTERED: {
    en: "Your account is ready. Nobody sees your readings unless you let them.",
    it: "Il tuo account è pronto. Nessuno vede le tue misure se tu non lo permetti.",
  },
  NOTIFICATION_KIND_DEVICE_ADDED: {
    en: "A device was added: it can send readings for your account. If it was not you, revoke it and change your password.",
    it: "È stato aggiunto un dispositivo: può inviare misure per il tuo account. Se non l’hai fatto tu, revocalo e cambia la password.",
  },
  NOTIFICATION_KIND_ACCESS_REQUESTED: {
    en: "A third party asks to see some of your readings. You decide.",
    it: "Una terza parte chiede di vedere alcune tue misure. Decidi tu.",
  },
  NOTIFICATION_KIND_ACCESS_ACCEPTED: {
    en: "Your request was accepted: you can see the readings.",
    it: "La tua richiesta è stata accettata: puoi vedere le misure.",
  },
  NOTIFICATION_KIND_ACCESS_REFUSED: {
    en: "Your request was refused.",
    it: "La tua richiesta è stata rifiutata.",
  },
  NOTIFICATION_KIND_ACCESS_WITHDRAWN: {
    en: "A third party has given up a request, or its access to your readings.",
    it: "Una terza parte ha rinunciato a una richiesta o all’accesso alle tue misure.",
  },
  NOTIFICATION_KIND_ACCESS_REVOKED: {
    en: "A person has ended your access to their readings.",
    it: "Una persona ha revocato il tuo accesso alle sue misure.",
  },
  NOTIFICATION_KIND_ACCESS_EXPIRED: {
    en: "An access to readings has come to its end, or a request was not answered or paid in time.",
    it: "Un accesso alle misure è scaduto, o una richiesta non ha avuto risposta o pagamento in tempo.",
  },
  NOTIFICATION_KIND_MAINTENANCE: {
    en: "The service will be interrupted for maintenance.",
    it: "Il servizio sarà interrotto per manutenzione.",
  },
  NOTIFICATION_KIND_PASSWORD_CHANGED: {
    en: "Your password was changed. If it was not you, tell the operator of this service.",
    it: "La tua password è stata cambiata. Se non l’hai fatto tu, avvisa chi gestisce il servizio.",
  },
  NOTIFICATION_KIND_EMERGENCY: {
    en: "Your readings point to an emergency, and help is being called. If you are well, cancel it.",
    it: "Le tue misure indicano un’emergenza e si stanno chiamando i soccorsi. Se stai bene, annullala.",
  },
  NOTIFICATION_KIND_EMERGENCY_OVER: { en: "Your emergency is over.", it: "La tua emergenza è conclusa." },
  NOTIFICATION_KIND_SILENCE: {
    en: "No heart rate has come for a while. Look whether your device is on and near you.",
    it: "Da un po’ non arriva la frequenza cardiaca. Controlla che il dispositivo sia acceso e vicino a te.",
  },
  NOTIFICATION_KIND_RACE_POSTPONED: { en: "A race of yours starts later.", it: "Una tua gara è stata rinviata." },
  NOTIFICATION_KIND_RACE_CANCELLED: { en: "A race of yours was cancelled.", it: "Una tua gara è stata annullata." },
  NOTIFICATION_KIND_RACE_INVITED: {
    en: "You are invited to a race.",
    it: "Hai ricevuto l’invito a una gara.",
  },
  NOTIFICATION_KIND_RACE_ORGANIZER_ADDED: {
    en: "You are one of the organisers of a race now.",
    it: "Ora sei tra gli organizzatori di una gara.",
  },
  NOTIFICATION_KIND_RACE_PLACE: { en: "You have a place in a race.", it: "Hai un posto in una gara." },
  NOTIFICATION_KIND_RACE_PAYMENT_DUE: {
    en: "A place in a race is held for you until its fee is paid.",
    it: "Un posto in una gara è riservato per te finché non paghi la quota.",
  },
  NOTIFICATION_KIND_RACE_PLACE_LOST: {
    en: "The fee was not paid in time, so your place in a race went to somebody else.",
    it: "La quota non è stata pagata in tempo e il tuo posto in una gara è andato ad altri.",
  },
  NOTIFICATION_KIND_RACE_RECEIPT: {
    en: "The fee of a race was paid: here is your receipt.",
    it: "La quota di una gara è stata pagata: ecco la ricevuta.",
  },
  NOTIFICATION_KIND_RACE_REFUND: {
    en: "The fee of a race was paid back.",
    it: "La quota di una gara è stata rimborsata.",
  },
  NOTIFICATION_KIND_RACE_DISQUALIFIED: {
    en: "You were disqualified in a race.",
    it: "Ti hanno squalificato in una gara.",
  },
  NOTIFICATION_KIND_RACE_REINSTATED: {
    en: "Your disqualification in a race was taken back.",
    it: "La tua squalifica in una gara è stata revocata.",
  },
  NOTIFICATION_KIND_RACE_RUNNER_EMERGENCY: {
    en: "A runner in a race that you organise needs help.",
    it: "Un concorrente di una gara che organizzi ha bisogno di aiuto.",
  },
  NOTIFICATION_KIND_RACE_RUNNER_EMERGENCY_OVER: {
    en: "The emergency of a runner in a race that you organise is over.",
    it: "L’emergenza di un concorrente di una gara che organizzi è conclusa.",
  },
  NOTIFICATION_KIND_RACE_CHANGED: {
    en: "Dates or course of a race of yours have changed.",
    it: "Le date o il percorso di una tua gara sono cambiati.",
  },
  NOTIFICATION_KIND_RACE_DISABLED: {
    en: "An administrator has disabled a race that you organise.",
    it: "Un amministratore ha disattivato una gara che organizzi.",
  },
  NOTIFICATION_KIND_RACE_ENABLED: {
    en: "A race that you organise can be used again.",
    it: "Una gara che organizzi è di nuovo utilizzabile.",
  },
  NOTIFICATION_KIND_SIGN_IN_CHANGED: {
    en: "Another way to sign in was linked with your account, or is linked no more. If it was not you, change your password.",
    it: "Un altro modo di accedere è stato collegato al tuo account o scollegato. Se non l’hai fatto tu, cambia la password.",
  },
  NOTIFICATION_KIND_RACE_PAYMENT_FAILED: {
    en: "The fee of a race could not be taken or paid back.",
    it: "La quota di una gara non si è potuta incassare o rimborsare.",
  },
  NOTIFICATION_KIND_ACCOUNT_DISABLED: {
    en: "An administrator has disabled your account.",
    it: "Un amministratore ha disattivato il tuo account.",
  },
  NOTIFICATION_KIND_ACCOUNT_ENABLED: {
    en: "An administrator has enabled your account again.",
    it: "Un amministratore ha riattivato il tuo account.",
  },
  NOTIFICATION_KIND_REGISTERED_AGAIN: {
    en: "Somebody has entered your e-mail address or fiscal code for another account. Nothing has changed for yours.",
    it: "Qualcuno ha inserito il tuo indirizzo e-mail o codice fiscale per un altro account. Per il tuo non cambia nulla.",
  },
};
