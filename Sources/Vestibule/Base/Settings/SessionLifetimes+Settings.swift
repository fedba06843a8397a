extension SessionLifetimes {
    init(_ read: SettingsReader) throws(SettingFault) {
        self.init(
            idle: try read.duration(.sessionIdle), absolute: try read.duration(.sessionLifetime),
            rememberedIdle: try read.duration(.rememberIdle), rememberedAbsolute: try read.duration(.rememberLifetime))
    }
}
