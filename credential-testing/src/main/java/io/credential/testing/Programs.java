package io.credential.testing;

import java.io.IOException;

/** Programs of the machine, which a test may need. */
public final class Programs {

    private Programs() {}

    /** Returns whether the command succeeds; false if its program is not installed. */
    public static boolean works(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            return Patience.exitValue(process) == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
