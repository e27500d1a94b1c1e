package io.credential.testing;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The class path of this JVM without some libraries, for applications that really lack them: a class that mentions one and
 * is loaded without it fails there. What runs here first loads its classes anew, which takes seconds.
 */
public final class ReducedClassPath implements AutoCloseable {

    private final URLClassLoader world;

    /** @param isAbsent given the name of a jar, or of our module whose class files are in a folder */
    public ReducedClassPath(Predicate<String> isAbsent) {
        this.world = new URLClassLoader(
                entries(isAbsent).map(ReducedClassPath::url).toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Work in a class loader that is also the context class loader of its thread. */
    @FunctionalInterface
    public interface Work<T> {
        T in(ClassLoader world) throws Exception;
    }

    /** Does work that is the only one without these libraries. */
    public static <T> T without(Predicate<String> isAbsent, Work<T> work) throws Exception {
        try (ReducedClassPath reduced = new ReducedClassPath(isAbsent)) {
            return reduced.run(work);
        }
    }

    public <T> T run(Work<T> work) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(world);
        try {
            return work.in(world);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() throws IOException {
        world.close();
    }

    /** Returns what is left of the class path. */
    public static Stream<Path> entries(Predicate<String> isAbsent) {
        return Stream.of(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator), -1))
                .distinct()
                .map(Path::of)
                .filter(entry -> !isAbsent.test(name(entry)));
    }

    private static String name(Path entry) {
        return entry.endsWith(Path.of("target", "classes"))
                ? String.valueOf(entry.getName(entry.getNameCount() - 3))
                : String.valueOf(entry.getFileName());
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
