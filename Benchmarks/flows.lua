-- For wrk, with one connection a thread: whole sign-ins to an application (`wrk … -- FILE STEPS AUTHORIZE FORM BASIC`). FILE
-- has a session's token a line, or where STEPS has `login` a body for the sign-in of apps; AUTHORIZE is the path that asks
-- for a code, FORM what goes in front of the code, BASIC what the client authenticates with. Prints as a line of JSON how
-- many came to the last step.
local threads, lines, steps = {}, {}, {}
local turn, at, code, token, session
whole, unexpected = 0, 0

function setup(thread)
    threads[#threads + 1] = thread
    thread:set("number", #threads)
end

local make = {}

function make.login()
    return wrk.format("POST", "/api/auth/sign-in", { ["Content-Type"] = "application/json" }, lines[turn])
end

function make.authorize()
    return wrk.format("GET", authorize, { ["Cookie"] = "vestibule=" .. (session or lines[turn]) })
end

function make.token()
    return wrk.format("POST", "/oauth/token", {
        ["Content-Type"] = "application/x-www-form-urlencoded", ["Authorization"] = basic }, form .. code)
end

function make.userinfo()
    return wrk.format("GET", "/oauth/userinfo", { ["Authorization"] = "Bearer " .. token })
end

-- What each step answers when it is right.
local take = {}

function take.login(status, headers, body)
    session = status == 200 and body:match('"token":"([^"]+)"')
    return session
end

function take.authorize(status, headers)
    code = status == 303 and (headers["Location"] or headers["location"]):match("[?&]code=([^&]+)")
    return code
end

function take.token(status, headers, body)
    token = status == 200 and body:match('"id_token":') and body:match('"access_token":"([^"]+)"')
    return token
end

function take.userinfo(status)
    return status == 200
end

function init(arguments)
    for line in io.lines(arguments[1]) do lines[#lines + 1] = line end
    for step in arguments[2]:gmatch("%a+") do steps[#steps + 1] = step end
    authorize, form, basic = arguments[3], arguments[4], arguments[5]
    -- Threads begin far from each other.
    turn, at = number * 617 % #lines + 1, 1
end

function request()
    return make[steps[at]]()
end

function response(status, headers, body)
    local right = take[steps[at]](status, headers, body)
    if not right then unexpected = unexpected + 1 end
    if right and at < #steps then
        at = at + 1
        return
    end
    if right then whole = whole + 1 end
    turn, at = turn % #lines + 1, 1
end

function done(summary, latency)
    local errors, flows, others = summary.errors, 0, 0
    for _, thread in ipairs(threads) do
        flows, others = flows + thread:get("whole"), others + thread:get("unexpected")
    end
    io.write(string.format(
        '\n{"flows": %d, "microseconds": %d, "unexpected": %d, "broken": %d}\n', flows, summary.duration, others,
        errors.connect + errors.read + errors.write + errors.timeout))
end
