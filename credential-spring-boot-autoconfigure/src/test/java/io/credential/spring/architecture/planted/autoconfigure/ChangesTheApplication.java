package io.credential.spring.architecture.planted.autoconfigure;

import java.time.Clock;
import java.time.ZoneOffset;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Breaks: no bean that changes the application, class conditions on classes, static post-processors. */
@Configuration(proxyBeanMethods = false)
public class ChangesTheApplication {

    @Bean
    @ConditionalOnClass(String.class)
    Clock clock() {
        return Clock.system(ZoneOffset.UTC);
    }

    @Bean
    BeanPostProcessor postProcessor() {
        return new BeanPostProcessor() {};
    }
}
