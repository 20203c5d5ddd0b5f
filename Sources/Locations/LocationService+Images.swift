import Model
import ServiceKit
import Wire

/// The two images of a place.
extension LocationService {
  func registerImages(_ handlers: inout Handlers) {
    handlers.write(
      .setLocationImage, of: .locations,
      check: { (request: SetLocationImageRequest, form) in
        form.needed("location_id", request.locationID)
        if request.which == .unspecified { form.refuse("which", "Say which of the two images.") }
        form.image("image", request.image)
      }
    ) { [unowned self] (request: SetLocationImageRequest, context) in
      let location = try location(request.locationID)
      let image: WritableKeyPath<Location, [UInt8]> =
        request.which == .banner ? \.bannerImageID : \.squareImageID
      return SetLocationImageResponse(
        location: try store.setImage(image, of: location, to: request.image, at: context.now))
    }
    handlers.read(
      .getLocationImage, of: .locations,
      check: { (request: GetLocationImageRequest, form) in
        if request.imageID.isEmpty, form.violations.isEmpty {
          form.refuse("image_id", "It is needed.")
        }
      }
    ) { [unowned self] (request: GetLocationImageRequest, _) in
      guard let found = try store.image(request.imageID) else {
        throw Refusal(.imageNotFound, "No place has an image with this id.")
      }
      return found
    }
  }
}
