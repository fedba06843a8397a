/// Hashes made by other programs: bcrypt 5.0, passlib 1.7.4, Django 5.2, argon2-cffi 25.1, Python's
/// hashlib and glibc's own crypt(3), all of the same password; Firebase's from its published test
/// vector.
package enum ImportedHashVectors {
    package static let password = "correct horse battery"

    package static let all = bcrypt + crypt + scrypt + pbkdf2 + argon2

    package static let bcrypt = [
        "$2a$05$9dY8EIi5J/pt0cL0dCOU6eNbNV9NGKH065Zln/hHKG51SK/IdSFW.",
        "$2b$05$9GcCDHd5fzNoVoGXzYUWcOrOAnGbdi6CcC/CCp6EXuwCND3Qvg0AW",
        "$2y$05$p9vASo5hMYyvFrgZMJ8hnePMYJgsFAm6IoT7AlHNKJl/HDMfJModG",
        "bcrypt$$2b$05$dTg7YzYtrkIr8BrDmtbmO.1Nu0bjalM4PM9yHjERld1dDEdjww.F2",
        "bcrypt_sha256$$2b$05$zt7DqputTr8H1V3amfYl6eqsxRFx0640yxRrHYlVfwRKDf6EB/EI6",
    ]

    package static let crypt = [
        "$5$rounds=1000$5.akIOICwLWeG87s$VOAb/Df.LusF7UeHKgbyOI8RD4.MUfInbQPTSZm8fU/",
        "$6$rounds=1500$12tw8MY6S/eQKXY5$KJ/PxKFhZxjeXyje1ORxMaHY0nax1GpfiB8HjsW4PXzyUG8sO.j..Fuuwu1eXrmshbcAL6JpQ6o3mU"
            + "A8QlntV1",
        "$6$YzhriLb15Xobw2Pd$/v1RC4xp/Zp4JCe8vdo04G83SuFDdrMsSzQu/PCRW1TqZ9iEmmwhqhrVn40h04OcvKCFabA4wmOcziORXvhbu0",
        "$y$j75$t67BoD54nD0UVcDH5WLKd/$kZaezVf5pP49fyYpZpC4Y//AFolztevDADK5uXyMHx.",
    ]

    package static let scrypt = [
        "$scrypt$ln=10,r=8,p=2$4Lw3JiQkBGCs9d77/3/P2Q$rgKtdE4OcatqFfEGuWUc2953t9vkK9Yf9J0O+n1zZSY",
        "$scrypt$ln=10,r=16,p=1$V+Ky7dHk3hav/+Q4alcoTg$ayR+LB43IEw/IUdSuQE168Ms6VVm+2zAF6fItnRzXGXjQl9reaCRzRpCSo2qgViW"
            + "QC2ZP47ROsBL3BTIJ3ikhA",
        "scrypt$1024$eW7M6RS4xbud3QCsZbK5dQ$8$2$z/gq4mspHns4PD2py6+UEmsIhYQP8UCmagvxijERbqi/spR4+ucnchxYSXJc2U8Kbg2hipZW"
            + "4LzWQAjNuMYaNA==",
        "$7$BU..../....CcgBjMPRXXoM3hWG/Zl4d0$0BRTCuSUT/ZM30io/YYOE2/xNCZSb5n7EdJOkoS..x6",
    ]

    package static let pbkdf2 = [
        "$pbkdf2$1000$CuHcW.u99z5H6H0PgZASAg$70zCBpNw3cZo49cBUuxMHZsjwzY",
        "$pbkdf2-sha256$1000$m3MuRUhpLUWoFaKUUsp5jw$VmnZwKV7.i3W0k2tAePmnVj/WGSlms5mM6eBRues0/4",
        "$pbkdf2-sha512$1000$MqaUklKK8R6jVKo1JsQYAw$5SY6asOhODDrSjnknpLyNn3B5Cc2SQHAlLt4Rw/8EPYKTKbyMiZ8RN2VS0iUAUZME8yq"
            + "mEfMatf8CviEqs3AZA",
        "$pbkdf2-sha256$i=1000,l=32$V+Ky7dHk3hav/+Q4alcoTg$aK861xJ9N7yRMIBp2fMKvU6dDphytsr3V6VZ5gN0L+Q",
        "$pbkdf2-sha512$i=1000$V+Ky7dHk3hav/+Q4alcoTg$j1CfQjk4BxyRo2/oADTtDasz4uDjBYbhgHCyGGGQPseALt98Ew4qKYvnMtZEXgWfHl"
            + "CmYtaDRhVPjzoDWHdmUg",
        "pbkdf2_sha256$1000$1OST6iMNdnbCVDo0dT99na$0UvdlJlv/3CuFr5JDYslJneQW5y2CjFgggsCyAQmKhg=",
        "pbkdf2_sha1$1000$q86tTrd1Ea9kPhQHGY8jGG$jcQZ9EqiJfu3lkn1TN7n88z3uJc=",
    ]

    package static let argon2 = [
        "$argon2i$v=16$m=256,t=2,p=2$jCXQyNLN0gy/2KY+bstUyg$S+Cb+vsVN+iAVSmdq0YKP9H8lWh1BE+p2O2FVxcFpl8",
        "$argon2i$m=256,t=2,p=2$jCXQyNLN0gy/2KY+bstUyg$S+Cb+vsVN+iAVSmdq0YKP9H8lWh1BE+p2O2FVxcFpl8",
        "$argon2i$v=19$m=256,t=2,p=2$jHyPw82b2KdgTpfTA7s0Jg$K9G0o4R7x6ODoEL4OFoT12SjYo3La+bM1xOMgJcAYeE",
        "$argon2d$v=16$m=256,t=2,p=2$r+ZMJQ9Ob/tiMovCaMjbow$kOwCUPrW/6z6U8B8UP6t4uaSfz4wgsdizEXhrvyUb2o",
        "$argon2d$v=19$m=256,t=2,p=2$95Uov6GUDt3oF9UXkVrBrg$dcNFD58AaHfTX0/ySRklEdlVftiL5CJKEA0mPnkP8OU",
        "$argon2id$v=16$m=256,t=2,p=2$zADsUUX75xI/AW/pLgGHhw$W8uT9F5/8+Q+oou5WR7dZlkm6u0iQ8xbONijaqB0P3g",
        "$argon2id$v=19$m=256,t=2,p=2$boOWU743JK6EHvrQU7MUxw$KJJgpQHxzNfP/Xb1tloa7UcH4qIyblRfqTj8i0SS9eE",
        "argon2$argon2id$v=19$m=512,t=2,p=2$NkNEM2V5R3g1bk1NUWYxdXJ5aENMcg$qFAOz23bIE3RIDHsnmxfsME9tejsqsHUu+9Q4miymPs",
    ]

    package static let firebasePassword = "user1password"
    package static let firebaseSignerKey =
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
    package static let firebaseExported =
        "$fbscrypt$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid"
        + "5lQ=="
    package static let firebase = firebaseExported.replacing(
        "$fbscrypt$", with: "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=\(firebaseSignerKey)$"
    )
}
