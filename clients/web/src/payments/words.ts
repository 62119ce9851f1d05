/** What is said of payments. */
export const words = {
  pay: { en: "Pay {price} (opens the payment provider’s page)", it: "Paga {price} (apre la pagina del fornitore di pagamenti)" },
  awaited: {
    en: "The payment provider has not named its page yet. It appears here in a moment.",
    it: "Il fornitore di pagamenti non ha ancora indicato la sua pagina. Comparirà qui tra poco.",
  },
  pending: { en: "Not paid yet", it: "Non ancora pagato" },
  authorized: { en: "Reserved, and not taken", it: "Riservato e non ancora addebitato" },
  captured: { en: "Paid", it: "Pagato" },
  cancelled: { en: "Cancelled: nothing is taken", it: "Annullato: nulla viene addebitato" },
  refunded: { en: "Paid back", it: "Rimborsato" },
  failed: { en: "Refused by the payment provider", it: "Rifiutato dal fornitore di pagamenti" },
} as const;
