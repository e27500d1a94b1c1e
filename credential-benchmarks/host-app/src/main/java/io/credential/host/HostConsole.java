package io.credential.host;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;

/** The login of the operators. One request with a name and a password opens a session. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HttpSecurity.class)
@ConditionalOnBooleanProperty("credential.console.enabled")
class HostConsole {

    private static final String PATH = "/credential";

    @Bean
    @Order(1)
    SecurityFilterChain console(HttpSecurity http) {
        return http.securityMatcher(PATH, PATH + "/**")
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(basic -> basic.securityContextRepository(new HttpSessionSecurityContextRepository()))
                .build();
    }

    @Bean
    UserDetailsService operators(@Value("${host.operator-password}") String password) {
        return new InMemoryUserDetailsManager(User.withUsername("operator")
                .password("{noop}" + password)
                .authorities(
                        "CREDENTIAL_VIEW",
                        "CREDENTIAL_PAYLOADS",
                        "CREDENTIAL_OPERATE",
                        "CREDENTIAL_KEYS",
                        "CREDENTIAL_ADMIN")
                .build());
    }
}
