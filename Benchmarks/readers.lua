-- For wrk: repeats the GET of the command line for many visitors in turn (`wrk … -- FILE`, a header that signs one in a line;
-- those of the command line go with each). Prints its figures as a line of JSON.
local requests, turn = {}, 0

function init(arguments)
    for line in io.lines(arguments[1]) do
        local name, value = line:match("^(.-): (.*)$")
        local headers = { [name] = value }
        for other, text in pairs(wrk.headers) do headers[other] = text end
        requests[#requests + 1] = wrk.format("GET", nil, headers)
    end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests": %d, "microseconds": %d, "refused": %d, "broken": %d}\n', summary.requests, summary.duration,
        errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
