import AdPlan
import RegionModel

// By raw value: a name that the vectors use and the product does not know fails to decode.
extension RegionBucket: Decodable {}
extension ConsentState: Decodable {}
extension AdProvider: Decodable {}
