package io.credential.spring.architecture.planted.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Breaks: subtypes of replaceable beans are not required. */
@Configuration(proxyBeanMethods = false)
public class RequiresItsOwnBean {

    @Bean
    @ConditionalOnMissingBean(CharSequence.class)
    String text() {
        return "planted";
    }

    @Bean
    Integer length(String text) {
        return text.length();
    }
}
