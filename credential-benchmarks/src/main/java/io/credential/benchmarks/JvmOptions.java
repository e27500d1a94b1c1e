package io.credential.benchmarks;

import java.util.List;

/** Options of the JVMs that benchmarks start. */
public final class JvmOptions {

    /** JMH uses {@code sun.misc.Unsafe}. JDK 24 and newer warn of it; JDK 23 and newer have an option against that. */
    private static final int JDK_WITH_UNSAFE_OPTION = 23;

    private JvmOptions() {}

    /** Returns the option that suppresses this warning, if this JDK has it. */
    public static List<String> unsafeAccess() {
        return Runtime.version().feature() < JDK_WITH_UNSAFE_OPTION
                ? List.of()
                : List.of("--sun-misc-unsafe-memory-access=allow");
    }
}
