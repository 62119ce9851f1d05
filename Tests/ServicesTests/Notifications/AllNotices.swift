@testable import Admin
@testable import Identity
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

private let notices: Notices = {
  let notices = Notices()
  let ofSos = Notice.ofSos(ContactWords(origin: nil))
  for area in [Notice.ofIdentity, Notice.ofSharing, ofSos, Notice.ofRaces, Notice.ofAdministrators] {
    notices.add(area)
  }
  return notices
}()

/// The numbers of the kinds that the areas of a server have.
let everyKind = notices.kinds.map(\.kind).sorted()

/// What the areas of a server say of an announcement.
func words(of announcement: Announcement) -> Notice.Words { notices.words(of: announcement) }
