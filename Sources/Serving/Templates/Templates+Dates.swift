package import struct FoundationEssentials.Date

extension Templates {
    /// `21 November 2026`, in that language.
    package func day(_ date: Date, locale: String) -> String {
        LocalDate(date).day { sentence($0, $1, locale: locale) }
    }

    /// `21 November 2026, 06:51 UTC`, in that language.
    package func dateAndTime(_ date: Date, locale: String) -> String {
        LocalDate(date).dateAndTime { sentence($0, $1, locale: locale) }
    }
}
