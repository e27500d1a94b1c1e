package io.credential.spring.architecture.planted.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Breaks: final, without public methods, and listed. */
@AutoConfiguration
public class OpenAutoConfiguration {

    @Bean
    public String planted() {
        return "planted";
    }
}
