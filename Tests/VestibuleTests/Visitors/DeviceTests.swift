import Testing

@testable import Vestibule

@Suite struct DeviceTests {
    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "Firefox – Linux"),
        ("Acme/1.2 CFNetwork/1490.0.4 Darwin/23.2.0", "Acme"),
        ("My-Shop/412 CFNetwork/1490.0.4 Darwin/23.2.0", "My-Shop"), ("B%C3%BCcher365/1", "Bücher365"),
        ("Go-http-client/2.0", "Go-http-client"),
        ("Acme/3.1 (com.example.acme; build:7; iOS 18.1.0) Alamofire/5.9", "Acme – iOS"),
        ("Acme/3.1 (Android 15; Pixel 9) okhttp/4.12.0", "Acme – Android"),
        ("okhttp/4.12.0", "okhttp"), ("Dart/3.5 (dart:io)", "Dart"), ("curl/8.5.0", "curl"),
    ])
    func `apps are called by their own name`(userAgent: String, name: String) {
        #expect(Device(userAgent: userAgent).name == name)
    }

    @Test(arguments: [
        "", "Mozilla/5.0", "nonsense", "/1", "<script>/1", "evil.example/1.0", "Sign%20in%0Aagain/1", "%FF/1",
        "A-very-long-word-that-is-not-the-name-of-an-app/1", "My%20Shop/1",
        "No%20action%20needed%20by%20you%20today/1", "No_action_needed_by_you/1", "Code-1234/1", "12%33456/1",
        "\u{664}\u{664}\u{664}\u{664}/1",
    ])
    func `text that is not a name stays unknown`(userAgent: String) {
        #expect(Device(userAgent: userAgent).name == nil)
    }
}
