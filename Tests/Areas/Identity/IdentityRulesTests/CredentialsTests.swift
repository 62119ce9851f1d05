import IdentityRules
import Testing

@Suite struct CredentialsTests {
  @Test(arguments: ["abc", "A.b-c_9", String(repeating: "x", count: 64)])
  func aUsernameIsLettersDigitsDotsDashesAndUnderscores(name: String) { #expect(Username.problem(name) == nil) }

  @Test(arguments: [
    "", "ab", "a b", "a@b.c", "anné", "аnna", "abc\u{0}", "abc\n", "'; DROP TABLE account; --",
    String(repeating: "x", count: 65),
  ]) func everythingElseIsNoUsername(name: String) { #expect(Username.problem(name) != nil) }

  @Test(arguments: [
    "a@b.it", "first.last+tag@sub.example.org", "o'neil@example.com", "x@1.2", "A_1%@EXAMPLE.ORG",
    String(repeating: "l", count: 64) + "@example.org",
  ]) func anAddressHasANameAndADomain(address: String) { #expect(EmailAddress.problem(address) == nil) }

  @Test(arguments: [
    "", "a", "@", "a@", "@b.it", "a@b", "a@b.", "a@.it", "a@-b.it", "a@b-.it", "a.@b.it", ".a@b.it", "a..b@c.it",
    "a@b@c.it", "a b@c.it", "a@b c.it", "a@b.it\r\nBcc: x@y.it", "a\u{0}@b.it", "é@b.it", "\"a\"@b.it",
    "a@" + String(repeating: "d", count: 64) + ".it", String(repeating: "l", count: 65) + "@example.org",
    "a@" + String(repeating: "abcdefgh.", count: 28) + "it",
  ]) func everythingElseIsNoAddress(address: String) { #expect(EmailAddress.problem(address) != nil) }

  @Test func aPasswordIsLongVariedAndNotTheFirstGuess() {
    #expect(Password.problem("correct horse battery") == nil)
    #expect(Password.problem("пароль-пароль") == nil)
    #expect(Password.problem(String(repeating: "abcde", count: 25) + "123") == nil)
    for weak in [
      "", "short-one", "aaaaaaaaaaaa", "abababababab", "Password123", "anna.rossi", "ANNA@EXAMPLE.ORG",
      String(repeating: "abcde", count: 25) + "1234",
    ] {
      #expect(Password.problem(weak, username: "Anna.Rossi", email: "anna@example.org") != nil)
    }
  }
}
