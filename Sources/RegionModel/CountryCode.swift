/// A country as ISO 3166-1 alpha-2 assigns it, or `XK` (Kosovo, user-assigned, in use everywhere).
///
/// Reserved, transitional and user-assigned codes (`UK`, `EU`, `AP`, `XX`, `T1` …) cannot be made into a value.
/// Two bytes; usable from any thread.
public struct CountryCode: Hashable, Sendable {
  /// The first letter in the high byte, the second in the low one, both `A`–`Z`.
  public let rawValue: UInt16

  /// The place of this code among the 26 × 26 pairs of letters: 0 for `AA`, 675 for `ZZ`.
  public var index: Int {
    (Int(rawValue >> 8) - 0x41) * 26 + Int(rawValue & 0xFF) - 0x41
  }

  /// The number of values that `index` can take.
  public static let indexCount = 26 * 26

  /// A code from two ASCII letters in either case; nil unless the pair is assigned.
  public init?(_ first: UInt8, _ second: UInt8) {
    // Clearing bit 5 upper-cases letters; no other byte lands among A–Z by it.
    let upperFirst = first & 0xDF
    let upperSecond = second & 0xDF
    guard (0x41...0x5A).contains(upperFirst), (0x41...0x5A).contains(upperSecond) else { return nil }
    rawValue = UInt16(upperFirst) << 8 | UInt16(upperSecond)
    guard AssignedCodes.isAssigned[index] else { return nil }
  }

  /// A code from text such as `KR` or `kr`; nil unless it is two letters and assigned.
  public init?(_ text: some StringProtocol) {
    let letters = Array(text.utf8)
    guard letters.count == 2 else { return nil }
    self.init(letters[0], letters[1])
  }

  /// The two letters, upper case.
  public var letters: String {
    String(decoding: [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)], as: UTF8.self)
  }

  /// Every assigned code in alphabetical order.
  public static let all: [CountryCode] = codes(AssignedCodes.list).sorted { $0.rawValue < $1.rawValue }

  /// The 27 members of the European Union and their outermost territories with codes of their own
  /// (AX, GF, GP, MF, MQ, RE, YT), as of 2026-01-01.
  public static let europeanUnion: [CountryCode] = codes(
    """
    AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK \
    AX GF GP MF MQ RE YT
    """)

  /// The European Economic Area: `europeanUnion` with Iceland, Liechtenstein and Norway, as of 2026-01-01.
  public static let europeanEconomicArea: [CountryCode] = europeanUnion + codes("IS LI NO")

  private static func codes(_ text: String) -> [CountryCode] {
    text.split(separator: " ").compactMap { CountryCode($0) }
  }
}

/// The assignments, apart from the type so that its initialiser can ask them.
private enum AssignedCodes {
  /// ISO 3166-1: 249 codes. `XK` follows them.
  static let list =
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW \
    BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI \
    FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN \
    IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME \
    MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF \
    PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV \
    SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE \
    YT ZA ZM ZW XK
    """

  static let isAssigned: [Bool] = {
    var table = [Bool](repeating: false, count: CountryCode.indexCount)
    for code in list.split(separator: " ") {
      let letters = Array(code.utf8)
      table[(Int(letters[0]) - 0x41) * 26 + Int(letters[1]) - 0x41] = true
    }
    return table
  }()
}
