package io.credential.sample;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/** Compiles examples against the class path of the tests. */
final class SnippetCompiler implements AutoCloseable {

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);

    /** Compiles files into a directory, and fails if the compiler has anything to say. */
    void compile(String description, List<String> sources, Path directory) {
        StringBuilder messages = new StringBuilder();
        List<String> options = List.of(
                "-proc:none",
                "-Xlint:deprecation",
                "-Werror",
                "-d",
                directory.toString(),
                "-classpath",
                System.getProperty("java.class.path"));

        boolean compiles = compiler.getTask(
                        null,
                        files,
                        diagnostic -> messages.append(diagnostic).append('\n'),
                        options,
                        null,
                        sources.stream().map(SourceText::new).toList())
                .call();

        assertThat(compiles).as("%s\n%s%s", description, messages, sources).isTrue();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    /** A source file in memory. */
    private static final class SourceText extends SimpleJavaFileObject {

        private final String text;

        SourceText(String text) {
            super(URI.create("memory:///Example.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
