package io.credential.benchmarks.console;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadedFilesTests {

    @Test
    void pageThenStylesScriptsAndImagesAreLoaded() {
        String html = """
                <link rel="stylesheet" href="./a.css"><script defer src="./b.js"></script><img alt="" src="c.png">
                <a href="./page">link</a>""";

        assertThat(LoadedFiles.ofPage(html)).containsExactly("./a.css", "./b.js", "c.png");
    }

    @Test
    void pageWhenDataIsEmbeddedThenItIsNotLoaded() {
        assertThat(LoadedFiles.ofPage("<link rel=\"icon\" href=\"data:image/svg+xml,x\">"))
                .isEmpty();
    }

    @Test
    void pageWhenLoadedTwiceThenCountedOnce() {
        assertThat(LoadedFiles.ofPage("<img src=\"c.png\"><img src=\"c.png\">")).containsExactly("c.png");
    }

    @Test
    void styleThenImportsAndImagesAreLoaded() {
        assertThat(LoadedFiles.ofStyle("@import 'x.css'; a { background: url(y.png) } b { background: url('data:z') }"))
                .isEqualTo(2);
    }
}
