import SwiftUI
import VestibuleClient

/// One column, as the pages have it: title, what is said of the form as a whole, and the form.
@MainActor func column(_ title: String, _ model: FormModel?, @ViewBuilder content: () -> some View) -> some View {
    ScrollView {
        VStack(alignment: .leading, spacing: 16) {
            Text(title).font(.largeTitle.bold()).accessibilityAddTraits(.isHeader)
            if let problem = model?.problem { Text("Problem: \(problem)").foregroundStyle(.red) }
            if let notice = model?.notice { Text(notice).foregroundStyle(.green) }
            content()
        }
        .padding(.horizontal, 20).padding(.vertical, 32).frame(maxWidth: 480)
    }
}

/// A label, an input, and what is wrong with it.
@MainActor func field(
    _ label: String, _ text: Binding<String>, _ field: FormField, _ type: UITextContentType, _ model: FormModel
) -> some View {
    VStack(alignment: .leading, spacing: 12) {
        Text(label).font(.headline).accessibilityHidden(true)
        Group {
            switch field {
            case .password, .confirmation, .currentPassword: SecureField("", text: text)
            default: TextField("", text: text).keyboardType(field == .email ? .emailAddress : .default)
            }
        }
        .textFieldStyle(.roundedBorder).textContentType(type).textInputAutocapitalization(.never)
        .autocorrectionDisabled().accessibilityLabel(label).accessibilityHint(model.fieldErrors[field] ?? "")
        if let error = model.fieldErrors[field] { Text(error).foregroundStyle(.red) }
    }
}

/// The one strong button of a form; or another one, with a wait of its own.
@MainActor func submit(
    _ label: String, _ model: FormModel, wait: Countdown? = nil, _ action: @escaping () async -> Void
) -> some View {
    let seconds = (wait ?? model.wait).secondsLeft
    return Button(seconds > 0 ? "\(label) in \(seconds) s" : model.isBusy ? "One moment…" : label) {
        Task { await action() }
    }
    .buttonStyle(.borderedProminent).disabled(model.isBusy || seconds > 0)
}

/// A new password with its strength, once or twice.
@MainActor @ViewBuilder func newPassword(
    _ password: Binding<String>, _ again: Binding<String?>, _ strength: PasswordStrength?, _ model: FormModel
) -> some View {
    field("New password", password, .password, .newPassword, model)
    if let strength { Text(strength.hint ?? "Password strength: \(strength.label)").font(.footnote) }
    if let again = Binding(again) { field("Repeat password", again, .confirmation, .newPassword, model) }
}

@MainActor @ViewBuilder func terms(_ isOn: Binding<Bool>, _ site: Site?, _ model: FormModel) -> some View {
    Toggle("I accept the terms", isOn: isOn)
    if let site { Link("Read the terms", destination: site.termsURL) }
    if let error = model.fieldErrors[.terms] { Text(error).foregroundStyle(.red) }
}
