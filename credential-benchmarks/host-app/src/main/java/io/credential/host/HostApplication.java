package io.credential.host;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The orders of the sample in an application that starts without the starter, too: the JVM ignores annotations whose class is
 * missing.
 */
@SpringBootApplication
public class HostApplication {

    public static void main(String[] args) {
        SpringApplication.run(HostApplication.class, args);
    }
}
