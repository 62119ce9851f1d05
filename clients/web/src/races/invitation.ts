// The secret of a race's private link stands behind the "#" of its address, which browsers send to nobody. From there it
// is taken into the tab's own memory, so that it outlives a sign-in and stands in no history.

const key = (raceId: string): string => `trackme.invitation.${raceId}`;

/**
 * The secret of the private link by which somebody has come to a race in this tab; empty where it was none. It is taken
 * out of the address.
 */
export function takeInvitation(raceId: string): string {
  const secret = new URLSearchParams(location.hash.slice(1)).get("invitation");
  if (secret !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    sessionStorage.setItem(key(raceId), secret);
  }
  return invitationOf(raceId);
}

/** The secret that was taken before; empty where there was none. */
export function invitationOf(raceId: string): string {
  return sessionStorage.getItem(key(raceId)) ?? "";
}
