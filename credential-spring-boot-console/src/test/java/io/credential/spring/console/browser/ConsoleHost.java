package io.credential.spring.console.browser;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;

import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.webhook.event.WebhookEvent;

/**
 * An application with a form login, whose users are {@link ConsoleUser}s. Its chain also accepts API keys, as that of an
 * application with one chain for everything would.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ConsoleHost {

    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .formLogin(Customizer.withDefaults())
                // Opens a session in one request, also below a servlet path, where the form of Spring Security is
                // missing.
                .httpBasic(basic -> basic.securityContextRepository(new HttpSessionSecurityContextRepository())
                        .authenticationEntryPoint(new LoginUrlAuthenticationEntryPoint("/login")))
                .build();
    }

    @Bean
    UserDetailsService users() {
        InMemoryUserDetailsManager users = new InMemoryUserDetailsManager();
        for (ConsoleUser user : ConsoleUser.values()) {
            users.createUser(User.withUsername(user.username())
                    .password("{noop}" + ConsoleUser.PASSWORD)
                    .authorities(user.authorities())
                    .build());
        }
        return users;
    }

    @Bean
    OpenSessions openSessions() {
        return new OpenSessions();
    }

    @Bean
    RequestLog requestLog() {
        return new RequestLog();
    }

    /** Before the security chain, so that it sees what that answers. */
    @Bean
    FilterRegistrationBean<RequestLog> requestLogRegistration(RequestLog log) {
        FilterRegistrationBean<RequestLog> registration = new FilterRegistrationBean<>(log);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    /** An event type of the application. */
    @WebhookEvent(value = "order.created", description = HostileText.SCRIPT + HostileText.IMAGE + HostileText.BIDI)
    record OrderCreated(String orderId, long cents) {}

    @Bean
    ProbeSection probeSection() {
        return new ProbeSection();
    }
}
