import AdPlan
import ConsentOrder
import RegionModel

// By raw value: a name that the vectors use and the product does not know fails to decode.
extension RegionBucket: Codable {}
extension ConsentState: Codable {}
extension AdProvider: Codable {}
extension ConsentPrompt: Codable {}
extension AdConsent: Codable {}
extension TrackingStatus: Codable {}
