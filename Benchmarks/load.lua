-- For wrk: posts the bodies of a file, one a line (forms, or JSON), in turn, and counts the answers of another status than
-- the one it is told (`wrk … -- FILE STATUS [spread]`), or repeats the GET of the command line. With `spread` a proxy says
-- of each form that it comes from a client address of its own. Prints its figures as a line of JSON.
local threads, forms, turn = {}, {}, 0
unexpected = 0

function setup(thread)
    threads[#threads + 1] = thread
end

function init(arguments)
    if not arguments[1] then return end
    for form in io.lines(arguments[1]) do
        local kind = form:sub(1, 1) == "{" and "application/json" or "application/x-www-form-urlencoded"
        local headers = { ["Content-Type"] = kind }
        if arguments[3] == "spread" then
            headers["X-Forwarded-For"] = string.format("10.0.%d.%d", #forms / 250, #forms % 250)
        end
        forms[#forms + 1] = wrk.format("POST", nil, headers, form)
    end
    local expected = tonumber(arguments[2])

    function request()
        turn = turn % #forms + 1
        return forms[turn]
    end

    function response(status)
        if status ~= expected then unexpected = unexpected + 1 end
    end
end

function done(summary, latency)
    local errors, others = summary.errors, 0
    for _, thread in ipairs(threads) do others = others + thread:get("unexpected") end
    io.write(string.format(
        '\n{"requests": %d, "microseconds": %d, "refused": %d, "unexpected": %d, "broken": %d}\n',
        summary.requests, summary.duration, errors.status, others,
        errors.connect + errors.read + errors.write + errors.timeout))
end
