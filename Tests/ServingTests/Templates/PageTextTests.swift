import Testing

@testable import Serving

@Suite struct PageTextTests {
    @Test func `headings, paragraphs and items have a line each, and nothing else is left`() {
        let html = """
            <!DOCTYPE html><title>Not me</title><header><p>Nor me</header>
            <main id="main"
             class="card"><h1 class="a">Terms &amp; <em>mo\u{AD}re</em></h1>
            <p>One,
            <b>two</b>, three &lt;3<br>four</p><p> </p>
            <ul><li><a href="/x">five</a></li><li>six &quot;6&quot;</li></ul></main><footer><p>After</p></footer>
            """
        #expect(
            PageText.main(of: html) == """
                Terms & more

                One, two, three <3

                four

                five

                six "6"
                """)
    }

    @Test func `a page without main is taken whole`() {
        #expect(PageText.main(of: "<p>All &amp;lt; of it</p>") == "All &lt; of it")
    }
}
