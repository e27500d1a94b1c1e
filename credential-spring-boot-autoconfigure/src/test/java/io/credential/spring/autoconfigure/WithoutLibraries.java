package io.credential.spring.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Loads our classes anew in a world without certain libraries. (A FilteredClassLoader only answers questions: the classes
 * themselves still see everything.)
 */
public final class WithoutLibraries extends ClassLoader {

    private static final String OURS = "io.credential.spring.";

    private final List<String> hiddenPackages;

    public WithoutLibraries(String... hiddenPackages) {
        super(WithoutLibraries.class.getClassLoader());
        this.hiddenPackages = List.of(hiddenPackages);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (hiddenPackages.stream().anyMatch(name::startsWith)) {
            throw new ClassNotFoundException(name + " is hidden");
        }
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineAnew(name);
        }
    }

    private Class<?> defineAnew(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
