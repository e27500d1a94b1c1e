package io.credential.spring.autoconfigure.security;

import java.time.InstantSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.security.authorization.method.AuthorizationInterceptorsOrder;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;
import io.credential.spring.security.RequiresScope;

/**
 * Enforces {@link RequiresScope} on every bean, even if the application enables neither method security nor Spring
 * Boot's AOP support. Startup fails if that is impossible. Controllers are also checked before their arguments are
 * resolved.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({AuthorizationManagerBeforeMethodInterceptor.class, MethodInterceptor.class})
@Import(ScopeCheckConfiguration.ProxyCreator.class)
final class ScopeCheckConfiguration {

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
    static class Controllers {

        /** Runs after the application's interceptors, so that they see denied requests too. */
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

    /**
     * Registers a proxy creator even with {@code spring.aop.auto=false}: without one, no scope would be checked.
     * {@code spring.aop.proxy-target-class} applies as usual.
     */
    static final class ProxyCreator implements ImportBeanDefinitionRegistrar {

        private final Environment environment;

        ProxyCreator(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
