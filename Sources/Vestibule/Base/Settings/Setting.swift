/// Every setting there is, by its environment name. This file is the reference: default and meaning
/// stand here once.
package enum Setting: String, CaseIterable, Sendable {
    case mode = "VESTIBULE_MODE"
    case host = "VESTIBULE_HOST"
    case port = "VESTIBULE_PORT"
    case publicURL = "VESTIBULE_PUBLIC_URL"
    case databaseURL = "VESTIBULE_DATABASE_URL"
    case mailURL = "VESTIBULE_MAIL_URL"
    case mailFrom = "VESTIBULE_MAIL_FROM"
    case mailConcurrency = "VESTIBULE_MAIL_CONCURRENCY"
    case secretKey = "VESTIBULE_SECRET_KEY"
    case secretKeyPrevious = "VESTIBULE_SECRET_KEY_PREVIOUS"
    case trustedProxies = "VESTIBULE_TRUSTED_PROXIES"
    case brandName = "VESTIBULE_BRAND_NAME"
    case brandTagline = "VESTIBULE_BRAND_TAGLINE"
    case owner = "VESTIBULE_OWNER"
    case supportURL = "VESTIBULE_SUPPORT_URL"
    case supportEmail = "VESTIBULE_SUPPORT_EMAIL"
    case afterLoginURL = "VESTIBULE_AFTER_LOGIN_URL"
    case returnToOrigins = "VESTIBULE_RETURN_TO_ORIGINS"
    case signup = "VESTIBULE_SIGNUP"
    case verification = "VESTIBULE_VERIFICATION"
    case termsVersion = "VESTIBULE_TERMS_VERSION"
    case passwordMinLength = "VESTIBULE_PASSWORD_MIN_LENGTH"
    case passwordMinGuessesLog10 = "VESTIBULE_PASSWORD_MIN_GUESSES_LOG10"
    case passwordConfirmation = "VESTIBULE_PASSWORD_CONFIRMATION"
    case argon2MemoryKiB = "VESTIBULE_ARGON2_MEMORY_KIB"
    case argon2Iterations = "VESTIBULE_ARGON2_ITERATIONS"
    case argon2Parallelism = "VESTIBULE_ARGON2_PARALLELISM"
    case hashingThreads = "VESTIBULE_HASHING_THREADS"
    case hashingQueue = "VESTIBULE_HASHING_QUEUE"
    case limitLogin = "VESTIBULE_LIMIT_LOGIN"
    case limitSignup = "VESTIBULE_LIMIT_SIGNUP"
    case limitReset = "VESTIBULE_LIMIT_RESET"
    case limitVerify = "VESTIBULE_LIMIT_VERIFY"
    case limitMail = "VESTIBULE_LIMIT_MAIL"
    case sessionIdle = "VESTIBULE_SESSION_IDLE"
    case sessionLifetime = "VESTIBULE_SESSION_LIFETIME"
    case rememberIdle = "VESTIBULE_REMEMBER_IDLE"
    case rememberLifetime = "VESTIBULE_REMEMBER_LIFETIME"
    case rememberDefault = "VESTIBULE_REMEMBER_DEFAULT"
    case activityLifetime = "VESTIBULE_ACTIVITY_LIFETIME"
    case secondFactor = "VESTIBULE_SECOND_FACTOR"
    case passkeys = "VESTIBULE_PASSKEYS"
    case devExpose = "VESTIBULE_DEV_EXPOSE"
    case connectionsPerClient = "VESTIBULE_CONNECTIONS_PER_CLIENT"
    case shutdownDelay = "VESTIBULE_SHUTDOWN_DELAY"
    case providerOrder = "VESTIBULE_PROVIDER_ORDER"
    case appleClientID = "VESTIBULE_APPLE_CLIENT_ID"
    case appleTeamID = "VESTIBULE_APPLE_TEAM_ID"
    case appleKeyID = "VESTIBULE_APPLE_KEY_ID"
    case applePrivateKeyFile = "VESTIBULE_APPLE_PRIVATE_KEY_FILE"
    case appleAppIDs = "VESTIBULE_APPLE_APP_IDS"
    case appleBaseURL = "VESTIBULE_APPLE_BASE_URL"
    case logLevel = "VESTIBULE_LOG_LEVEL"
    case logFormat = "VESTIBULE_LOG_FORMAT"

    /// What holds when nobody sets it; `nil` where the default is worked out at start (said in
    /// `meaning`).
    package var standard: String? { row.standard }

    /// One line for `--help` and the documentation.
    package var meaning: String { row.meaning }

    private var row: (standard: String?, meaning: String) {
        switch self {
        case .mode:
            (
                "development",
                "development or production; production insists on https, a secret key, a real mail transport and a sender"
            )
        case .host: ("127.0.0.1", "address to listen on")
        case .port: ("8080", "port to listen on, 0 lets the system choose")
        case .publicURL:
            (
                nil,
                "URL people see, with a path where the site is under one; https in production; default http://localhost:PORT"
            )
        case .databaseURL:
            (
                "sqlite:data/vestibule.sqlite",
                "sqlite:FILE, or postgres://user:password@host1,host2/name?sslmode=verify-full"
            )
        case .mailURL:
            ("outbox:data/mail", "outbox:FOLDER, \(Self.mailServers)")
        case .mailFrom:
            (
                "Vestibule <no-reply@localhost>",
                "sender of every mail; production requires one, of a domain of yours"
            )
        case .mailConcurrency: ("4", "mails sent at a time, 1 to 32; no recipient's server gets all of these places")
        case .secretKey: (nil, "32 bytes as base64; default in development: made in data/secret.key")
        case .secretKeyPrevious: (nil, "the previous key, which still opens what was sealed with it")
        case .trustedProxies:
            (nil, "CIDR list of proxies whose Forwarded and X-Forwarded-For are believed; default none")
        case .brandName: ("Vestibule", "name on pages and in mails")
        case .brandTagline: (nil, "line under the name; default in the visitor's language")
        case .owner: (nil, "who runs the site, as pages and mails say it; default the brand's name")
        case .supportURL: (nil, "page where people ask for help: https, or http on localhost; default none")
        case .supportEmail:
            (nil, "email address where people ask for help, beside or in place of the page; default none")
        case .afterLoginURL:
            (
                "/account",
                "URL, or path of the origin, a signed-in visitor goes to; default /account under the public URL"
            )
        case .returnToOrigins:
            (nil, "origins that return_to may name besides those of applications, separated by commas; default none")
        case .signup: ("open", "open or closed")
        case .verification:
            ("required", "required or off; off makes the account at once and so shows which address is taken")
        case .termsVersion: ("1", "version of the terms; a new one is asked for at the next login")
        case .passwordMinLength: ("8", "fewest code points of a new password, 6 to 64")
        case .passwordMinGuessesLog10: ("6", "new passwords that zxcvbn can guess in fewer than 10^N tries are refused")
        case .passwordConfirmation: ("on", "on or off; off asks for a new password once")
        case .argon2MemoryKiB: ("19456", "Argon2id memory of new hashes, KiB, 8 a lane to 1048576")
        case .argon2Iterations: ("2", "Argon2id passes of new hashes, 1 to 64")
        case .argon2Parallelism: ("1", "Argon2id lanes of new hashes, 1 to 64")
        case .hashingThreads:
            (nil, "threads that hash; default one a core; memory is at most threads times Argon2 memory")
        case .hashingQueue: (nil, "hashes that may wait; default 64 times threads; beyond it 503")
        case .limitLogin: ("30/m/ip, 200/h/ip, 10/15m/address, 10/15m/device", Self.limit())
        case .limitSignup: ("10/m/ip, 50/d/ip, 5/h/address", Self.limit("ip, address, address+ip, all"))
        case .limitReset: ("10/m/ip, 50/d/ip, 3/h/address+ip, 10/d/address, 3/h/device", Self.limit())
        case .limitVerify:
            ("5/10m/flow, 15/h/address, 30/h/ip, 100/d/ip", Self.limit("ip, address, address+ip, device, flow, all"))
        case .limitMail: ("5/h/address, 15/d/address, 1000/h/all", Self.limit())
        case .sessionIdle: ("12h", "new sessions end after this long unused, older ones as before")
        case .sessionLifetime: ("24h", "new sessions end after this long in any case, older ones as before")
        case .rememberIdle:
            ("14d", "with \"keep me signed in\" new sessions end after this long unused, older ones as before")
        case .rememberLifetime:
            ("30d", "with \"keep me signed in\" new sessions end after this long in any case, older ones as before")
        case .rememberDefault: ("on", "on or off; on ticks \"keep me signed in\" on every page that has it")
        case .activityLifetime:
            ("180d", "security events, which the account page shows, are kept this long, 1d or more")
        case .secondFactor:
            ("optional", "optional, required (an account without one must add one, also where it is signed in) or off")
        case .passkeys: ("on", "on or off; off neither offers nor accepts passkeys")
        case .devExpose:
            ("off", "on or off; on lets development mode answer other machines and have an https public URL")
        case .connectionsPerClient: ("256", "open connections of one client address; trusted proxies are not counted")
        case .shutdownDelay:
            ("off", "how long it still serves after SIGTERM while /healthz answers 503, so that proxies send no more")
        case .providerOrder: (nil, "names of providers, separated by commas, whose buttons come first; default by name")
        case .appleClientID: (nil, "Services ID of Sign in with Apple on the web; needs the three below")
        case .appleTeamID: (nil, "Team ID of the Apple developer account, ten characters")
        case .appleKeyID: (nil, "id of the key for Sign in with Apple, ten characters")
        case .applePrivateKeyFile: (nil, "the key's file as downloaded from Apple (.p8)")
        case .appleAppIDs: (nil, "bundle ids of native apps whose tokens are accepted, separated by commas")
        case .appleBaseURL: (nil, "for tests only: an origin that stands in for Apple; production mode refuses it")
        case .logLevel: ("info", "trace, debug, info, notice, warning, error or critical")
        case .logFormat: (nil, "text or json; default text in development, json in production")
        }
    }

    /// The only transports that production takes.
    static let mailServers = "smtp://user:pass@host:587 (STARTTLS required) or smtps://host:465"

    private static func limit(_ keys: String = "ip, address, address+ip, device, all") -> String {
        "amount/period/key, several joined by commas, or off; keys \(keys)"
    }
}
