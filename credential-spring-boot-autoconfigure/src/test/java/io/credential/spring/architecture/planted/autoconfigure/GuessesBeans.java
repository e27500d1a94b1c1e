package io.credential.spring.architecture.planted.autoconfigure;

import java.time.InstantSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Breaks: several beans are not none, clocks are marked. */
@Configuration(proxyBeanMethods = false)
public class GuessesBeans {

    @Bean
    String now(ObjectProvider<InstantSource> clocks) {
        return clocks.getIfUnique(InstantSource::system).instant().toString();
    }
}
