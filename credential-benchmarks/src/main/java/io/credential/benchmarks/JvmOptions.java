package io.credential.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;

/** Options of the JVMs that benchmarks start. */
public final class JvmOptions {

    /** JMH uses {@code sun.misc.Unsafe}. JDK 24 and newer warn of it; JDK 23 and newer have an option against that. */
    private static final int JDK_WITH_UNSAFE_OPTION = 23;

    private static final Set<String> OF_TESTS = Set.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private JvmOptions() {}

    /**
     * Returns those options of this JVM that suit short runs. Test JVMs have them; JVMs that measure do not.
     */
    public static List<String> inherited() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(OF_TESTS::contains)
                .toList();
    }

    /** Returns the option that suppresses this warning, if this JDK has it. */
    public static List<String> unsafeAccess() {
        return Runtime.version().feature() < JDK_WITH_UNSAFE_OPTION
                ? List.of()
                : List.of("--sun-misc-unsafe-memory-access=allow");
    }
}
