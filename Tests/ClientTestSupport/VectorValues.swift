import AdPlan
import ConsentOrder
import RegionModel

// By raw value: a name that the vectors use and the product does not know fails to decode.
extension RegionBucket: Decodable {}
extension ConsentState: Decodable {}
extension AdProvider: Decodable {}
extension ConsentPrompt: Decodable {}
extension AdConsent: Decodable {}
extension TrackingStatus: Decodable {}
