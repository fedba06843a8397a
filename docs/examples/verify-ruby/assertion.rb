# Says who sent a request, by the assertion that Vestibule signed.
require "json"
require "jwt"
require "net/http"

class Verifier
  def initialize(keys, issuer:, audience:)
    @url, @issuer, @audience = URI(keys), issuer, audience
    @mutex, @read_at = Mutex.new, -Float::INFINITY
  end

  # The claims, or nil unless the assertion is good and meant for this application.
  def visitor(assertion)
    claims, = JWT.decode(
      assertion, nil, true, algorithms: ["ES256"], jwks: method(:keys), iss: @issuer, verify_iss: true,
      aud: @audience, verify_aud: true, required_claims: %w[sub exp])
    claims if claims["sub"] && claims["exp"]
  rescue JWT::DecodeError, ArgumentError, NoMethodError, TypeError # the last three for what is no token at all
    nil
  end

  private

  # Read once an hour, and when an assertion names an unknown key, at most once in ten seconds.
  def keys(options)
    @mutex.synchronize do
      age = Process.clock_gettime(Process::CLOCK_MONOTONIC) - @read_at
      if age > (options[:invalidate] ? 10 : 3600)
        @read_at = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        @keys = read || @keys
      end
      @keys || { keys: [] }
    end
  end

  # Nil when they cannot be read: those that were read before stay.
  def read
    options = { use_ssl: @url.scheme == "https", open_timeout: 5, read_timeout: 5, max_retries: 0 }
    answer = Net::HTTP.start(@url.hostname, @url.port, options) { |http| http.get(@url.request_uri) }
    JSON.parse(answer.body, symbolize_names: true) if answer.is_a?(Net::HTTPOK)
  rescue StandardError
    nil
  end
end
