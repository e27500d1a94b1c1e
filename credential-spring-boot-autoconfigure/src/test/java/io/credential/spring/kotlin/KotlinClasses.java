package io.credential.spring.kotlin;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.credential.testing.Patience;

/**
 * The classes of {@code src/test/kotlin}, compiled when a test needs them. The compiler has a JVM of its own, because
 * it leaves threads and much memory behind.
 */
public final class KotlinClasses extends URLClassLoader {

    private static final Pattern OF_COMPILER = Pattern.compile("(kotlin|kotlinx|annotations)-.*\\.jar");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private KotlinClasses(URL directory) {
        super(new URL[] {directory}, KotlinClasses.class.getClassLoader());
    }

    /** Compiles the classes into this directory. */
    public static KotlinClasses compileTo(Path directory) throws IOException {
        Path output = directory.resolve("classes");
        Path log = directory.resolve("compiler.log");
        Process compiler = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        jars().filter(jar -> OF_COMPILER
                                        .matcher(Path.of(jar).getFileName().toString())
                                        .matches())
                                .collect(Collectors.joining(File.pathSeparator)),
                        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
                        "-no-stdlib",
                        "-no-reflect",
                        "-jvm-target",
                        "17",
                        "-java-parameters",
                        "-cp",
                        CLASS_PATH,
                        "-d",
                        output.toString(),
                        Path.of("src", "test", "kotlin").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (Patience.exitValue(compiler) != 0) {
            throw new IllegalStateException(Files.readString(log));
        }
        return new KotlinClasses(output.toUri().toURL());
    }

    private static Stream<String> jars() {
        return Pattern.compile(Pattern.quote(File.pathSeparator)).splitAsStream(CLASS_PATH);
    }

    /** Returns the class with this simple name. */
    public Class<?> named(String name) {
        try {
            return loadClass("io.credential.spring.kotlin." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
