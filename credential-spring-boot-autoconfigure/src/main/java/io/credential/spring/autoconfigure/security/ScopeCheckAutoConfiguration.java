package io.credential.spring.autoconfigure.security;

import java.time.InstantSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.security.authorization.method.AuthorizationInterceptorsOrder;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import io.credential.spring.security.RequiresScope;

/**
 * Enforces {@link RequiresScope} on every bean, whether or not the application enables method security or Spring Boot's
 * AOP support, and refuses to start where it could not be enforced. Controllers are checked before their arguments are
 * made as well.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass({AuthorizationManagerBeforeMethodInterceptor.class, MethodInterceptor.class})
@Import(ScopeProxyRegistrar.class)
public final class ScopeCheckAutoConfiguration {

    /** Has the infrastructure role: the proxy creator silently ignores other advisors. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AuthorizationManagerBeforeMethodInterceptor credentialScopeInterceptor(BeanFactory beans) {
        ScopeRequirements requirements = new ScopeRequirements();
        ApplicationSecurity security = new ApplicationSecurity(beans, InstantSource.system());
        AuthorizationManagerBeforeMethodInterceptor interceptor = new AuthorizationManagerBeforeMethodInterceptor(
                new ScopePointcut(requirements), new MethodScopes(requirements, security));
        interceptor.setOrder(AuthorizationInterceptorsOrder.PRE_AUTHORIZE.getOrder());
        interceptor.setAuthorizationEventPublisher(security);
        interceptor.setSecurityContextHolderStrategy(security);
        return interceptor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static UnenforceableScopeCheck credentialUnenforceableScopeCheck(ConfigurableListableBeanFactory beans) {
        return new UnenforceableScopeCheck(beans);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebMvcConfigurer.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OfControllers {

        /** Behind the application's own interceptors, which see a denied request as they would without this one. */
        @Bean
        WebMvcConfigurer credentialScopeWebMvcConfigurer(BeanFactory beans) {
            ScopeHandlerInterceptor interceptor = new ScopeHandlerInterceptor(
                    new ScopeRequirements(), new ApplicationSecurity(beans, InstantSource.system()));
            return new WebMvcConfigurer() {

                @Override
                public void addInterceptors(InterceptorRegistry registry) {
                    registry.addInterceptor(interceptor).order(Integer.MAX_VALUE);
                }
            };
        }
    }
}
