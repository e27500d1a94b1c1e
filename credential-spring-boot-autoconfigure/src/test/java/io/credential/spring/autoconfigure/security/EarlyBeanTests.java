package io.credential.spring.autoconfigure.security;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.PriorityOrdered;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.SpringAuthorizationEventPublisher;
import org.springframework.security.authorization.event.AuthorizationDeniedEvent;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.security.other.HiddenByClass;
import io.credential.spring.autoconfigure.security.other.HiddenByMethod;
import io.credential.spring.security.RequiresScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Beans that come into being while Spring still gets ready to proxy them. */
class EarlyBeanTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, ScopeCheckAutoConfiguration.class));

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    private static void assertDenied(Guarded guarded) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("somebody", "none", "x"));
        assertThatExceptionOfType(AuthorizationDeniedException.class).isThrownBy(guarded::secret);
    }

    @Test
    void beanWhenEventPublisherNeedsItThenIsChecked() {
        application.withUserConfiguration(PublisherThatNeedsABean.class).run(context -> {
            assertDenied(context.getBean(Guarded.class));

            assertThat(context.getBean(Denials.class).count).isEqualTo(1);
        });
    }

    @Test
    void beanWhenContextHolderNeedsItThenIsChecked() {
        application
                .withUserConfiguration(ContextHolderThatNeedsABean.class)
                .run(context -> assertDenied(context.getBean(Guarded.class)));
    }

    @Test
    void beanWhenPostProcessorNeedsItThenRefused() {
        application
                .withUserConfiguration(EarlyPostProcessor.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOfSatisfying(CredentialConfigurationException.class, refused -> {
                            assertThat(refused.problem())
                                    .contains(Guarded.class.getName())
                                    .contains("bean 'guarded'")
                                    .contains("created too early");
                            assertThat(refused.remedy()).contains("ObjectProvider");
                        }));
    }

    @Test
    void factoryProductWhenPostProcessorNeedsItThenRefused() {
        application
                .withUserConfiguration(EarlyProduct.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("bean 'product'"));
    }

    @Test
    void beanWhenRegisteredAsFinishedObjectThenRefused() {
        application
                .withInitializer(context -> context.getBeanFactory().registerSingleton("guarded", new Guarded()))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("registered as an existing instance"));
    }

    @Test
    void beanWhenInProxiesOfOtherKindsThenStillChecked() {
        application.withUserConfiguration(ManyProxies.class).run(context -> {
            assertDenied(context.getBean("wrapped", Guarded.class));
            assertDenied(context.getBean("scoped", Guarded.class));
            assertDenied(context.getBean("product", Guarded.class));
        });
    }

    @Test
    void methodWhenProxyCannotOverrideItThenRefused() {
        application
                .withBean(FromOtherPackageByMethod.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("HiddenByMethod.hidden")
                        .hasMessageContaining("the method is package-private"));
        application
                .withBean(FromOtherPackageByClass.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("HiddenByClass.hidden"));
    }

    static class Guarded {

        @RequiresScope("admin")
        String secret() {
            return "secret";
        }
    }

    static class Denials {

        private int count;
    }

    @Configuration(proxyBeanMethods = false)
    static class PublisherThatNeedsABean {

        @Bean
        AuthorizationEventPublisher publisher(Guarded guarded, Denials denials) {
            assertThat(guarded).isNotNull();
            return new SpringAuthorizationEventPublisher(event -> {
                if (event instanceof AuthorizationDeniedEvent<?>) {
                    denials.count++;
                }
            });
        }

        @Bean
        Guarded guarded() {
            return new Guarded();
        }

        @Bean
        Denials denials() {
            return new Denials();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ContextHolderThatNeedsABean {

        @Bean
        SecurityContextHolderStrategy contextHolder(Guarded guarded) {
            assertThat(guarded).isNotNull();
            return SecurityContextHolder.getContextHolderStrategy();
        }

        @Bean
        Guarded guarded() {
            return new Guarded();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyPostProcessor {

        @Bean
        static NeedsABean early(Guarded guarded) {
            return new NeedsABean(guarded);
        }

        @Bean
        static Guarded guarded() {
            return new Guarded();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyProduct {

        @Bean
        static NeedsABean early(Guarded guarded) {
            return new NeedsABean(guarded);
        }

        @Bean
        static GuardedFactory product() {
            return new GuardedFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManyProxies {

        @Bean
        static BeanFactoryPostProcessor threadScope() {
            return beans -> beans.registerScope("thread", new SimpleThreadScope());
        }

        /** Comes after the proxy creator and wraps what that has made. */
        @Bean
        static BeanPostProcessor wrapper() {
            return new BeanPostProcessor() {

                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (!beanName.equals("wrapped")) {
                        return bean;
                    }
                    assertThat(AopUtils.isAopProxy(bean)).isTrue();
                    ProxyFactory around = new ProxyFactory(bean);
                    around.setProxyTargetClass(true);
                    return around.getProxy();
                }
            };
        }

        @Bean
        Guarded wrapped() {
            return new Guarded();
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Guarded scoped() {
            return new Guarded();
        }

        @Bean
        GuardedFactory product() {
            return new GuardedFactory();
        }
    }

    record NeedsABean(Guarded guarded) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class GuardedFactory implements FactoryBean<Guarded> {

        @Override
        public Guarded getObject() {
            return new Guarded();
        }

        @Override
        public Class<?> getObjectType() {
            return Guarded.class;
        }
    }

    static class FromOtherPackageByMethod extends HiddenByMethod {}

    static class FromOtherPackageByClass extends HiddenByClass {}
}
