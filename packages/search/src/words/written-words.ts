/**
 * Function words and endings of the languages in the requirements' list. Accents are optional here,
 * since terms have no accents. Languages that form words in other ways have no endings.
 */
export type WrittenWords = { readonly words: string; readonly endings: string }

export const WRITTEN_WORDS: Readonly<Record<string, WrittenWords>> = {
  en: {
    words: `a about after again all already also always am an and any anybody anyone anything are as
      at be because been before being between both but by came can cannot come comes could did
      do does doing don each either else ever every everybody everyone everything few for from
      get gets getting give given go goes going got had happen happens has have having he her
      here him his how i if in into instead is isn it its itself just keep let lets like ll look
      made make makes many may me might more most much must my myself need needed needs never no
      nobody not nothing now of off on once one only onto or other others our out over own
      possible put rather re really s same see seem shall she should so some somebody someone
      something somewhere still such sure t take tell than that the their them then there these
      they thing things this those though through to too under until up us use used using ve
      very want wanted wants was way we well were what whatever when whenever where whether
      which while who whom whose why will with without won would yet you your yours`,
    endings: `ation ative ating ated ator ate able ment ing ion er or ed e ly`,
  },
  de: {
    words: `aber alle als also am an auch auf aus bei beim bin bis da damit dann das dass dem den denn
      der des die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen
      einer eines er es etwas fur gibt habe haben hat hier ich ihr im in ist ja jede jeder jedes
      kann kein keine konnen man mehr mein meine mich mir mit muss nach nicht noch nur ob oder
      ohne sein sich sie sind so soll uber um und uns unter vom von vor wann warum was welche
      welchem welchen welcher welches wenn wer werde werden wie wieso will wir wird wo wozu zu
      zum zur`,
    endings: `ierungen ierung ungen ung ieren iert ier ende enden end est ern em en er es et e n t`,
  },
  fr: {
    words: `a afin ai au aussi aux avec avez avoir c ce cela ces cet cette comment comme d dans de des
      dois doit donc du elle en est et etre eu faire faut fait il ils j je l la le les leur
      leurs lors lui m ma mais me mes moi mon n ne nos notre nous on ou par pas peut peux plus
      pour pourquoi quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont
      sur t ta te tes toi ton tous tout toute tu un une veux vos votre vous y`,
    endings: `issements issement ateurs ateur ations ation ements ement antes ants ante ant ees ee er ez
      es e ons ir it is i`,
  },
  es: {
    words: `a al algo algun alguna ante antes aqui asi aun cada como con cual cuales cuando cuanto de
      debe debo del desde donde dos e el ella ellos en entre era es esa ese eso esta estan estar
      este esto estos fue ha hacer hago hasta hay la las le les lo los mas me mi mis muy nada ni
      no nos nosotros o otra otro para pero poder por porque pue puede puedo pues que quien
      quiero se sea ser si sin sobre son su sus tambien tanto te tener tengo tiene todo todos tu
      tus un una uno unos usar y ya yo`,
    endings: `aciones acion adores ador amiento imiento ando iendo ados adas ado ada idos idas ido ida
      ar er ir an en as es os a e o`,
  },
  'pt-BR': {
    words: `a ainda algo ao aos aquele as assim ate cada com como da das de dela dele depois do dos e
      ela ele eles em entre era essa esse esta estao estar este eu faco faz fazer foi ha isso
      isto ja la lhe mais mas me meu meus minha muito na nao nas nem no nos nosso nossa num numa
      o onde os ou para pela pelo pelos por porque posso pode podem preciso quais qual quando
      quanto que quem quero sao se sem ser seu seus sim so sobre sua suas tambem te tem tenho
      ter ter teu todo todos tua tudo um uma uns usar voce voces`,
    endings: `acoes acao adores ador amento imento ando endo indo ados adas ado ada idos idas ido ida ar
      er ir am em as es os a e o`,
  },
  it: {
    words: `a ad ai al alla alle allo anche c che chi ci come con cosa cui da dai dal dalla dalle de
      degli dei del della delle dello deve devo di dov dove e ed era essere fa faccio fare gli
      ha hai hanno ho i il in io l la le lo loro ma me mi mia mio ne negli nei nel nella nelle
      noi non nostro o ogni per perche piu puo qual quale quali quando quanto quello questa
      queste questi questo qui se sei senza si sia sono su sua sue sugli sul sulla suo suoi te
      ti tra tu tuo tutti tutto un una uno usare vi voglio voi`,
    endings: `azioni azione atori atore amento imento ando endo ati ate ato ata iti ite ito ita are ere
      ire i e o a`,
  },
  nl: {
    words: `aan al alle als bij daar dan dat de deze die dit doe doen door een en er geen haar had heb
      hebben heeft het hij hoe hun iets ik in is je jij jouw kan kun kunnen maar me meer met
      mijn moet moeten na naar niet nog nu of om omdat ons onze ook op over te tot u uit uw van
      veel voor waar waarom waarvoor wanneer want was wat we wel welke welk werd wie wij wil
      worden wordt ze zelf zich zij zijn zo zonder zou`,
    endings: `eringen ering ingen ing erend ende end eren en er et e d t`,
  },
  sv: {
    words: `alla allt att av bara bli da de dem den denna deras dess det detta dig din ditt du efter
      eller en er ett fran for gor gora ha han har hon hur i in inte ja jag kan kunde man med
      men mer mig min mina mitt mot mycket nar nagon nagot ni nu och om oss pa sa samma sin ska
      som till under upp ut utan var vad varfor vart vem vi vid vil vilka vilken vill vilket ar`,
    endings: `ningar ningen ning andet ande arna erna orna aren are ades ade as at ad ar er or en et a e
      t`,
  },
  da: {
    words: `af alle at blive da de dem den denne der deres det dette dig din dit du efter eller en end
      er et for fordi fra gor gore ham han har have hun hvad hvem hver hvilke hvilken hvilket
      hvor hvordan hvorfor i ikke ind ja jeg jer kan kun man med meget men mere mig min mit mod
      nar nogen noget nu og ogsa om op os over pa sa sig skal som til ud uden under var ved vi
      vil`,
    endings: `ninger ningen ning ende erne eren ede es er en et e t`,
  },
  no: {
    words: `alle at av bare ble bli da de dem den denne der deres det dette deg din ditt du eller en
      er et etter for fordi fra gjor gjore ha han har hun hva hvem hver hvilke hvilken hvilket
      hvor hvordan hvorfor i ikke inn ja jeg kan man med meg men mer min mitt mot mye nar noe
      noen na og ogsa om opp oss over pa sa seg skal som til under ut uten vi vil var ved`,
    endings: `ningene ningen ninger ning ende ene ere ete et er en te e a t`,
  },
  fi: {
    words: `ei ennen ensin etta han hanen he ja jo joka jolla jonka jos jotka jotta kaikki kanssa kai
      koska kuin kuinka kun me mika mikä mille millainen milloin mina minun missa mista mita
      mitka mutta myos ne niin niita nyt ole olen olla on onko ovat saa sama se sen siella sille
      sita sina sinun tai tama taman tassa tata te tee tehda tulee vai vain voi voin voinko
      voisi`,
    endings: `misesta misessa misen minen issaan ista issa illa ille ilta iksi ien ita ssa sta lla lle
      lta ksi mme tte vat taan aan een iin tai tat at et it an en in on a n t`,
  },
  cs: {
    words: `a aby ale ani az bez bude by byl byla bylo byt co coz do ho i ja jak jaka jake jaky jako
      je jeho jej jeji jejich jen jeste ji jsem jsou k kde kdo kdy kdyz ke ktera ktere ktery ma
      mam me mezi mi mit muj musi muze muzu my na nad nebo neni nez nic o od on ona oni pak po
      pod podle pokud pro proc proto protoze pred pri s sam se si sve ta tak take ten tento to
      toho tohle tom tomu tu ty u uz v vas vase ve vice vsak za ze`,
    endings: `ovani ovat eni ani ami ach ech emi ich ymi ych eho emu ej ou em am um u y i e a o`,
  },
  pl: {
    words: `a aby ale albo bez bo by byc byl byla bylo ci co czy czym dla do gdy gdzie go i ich ile im
      inne ja jak jaka jaki jakie jako je jego jej jest jesli jeszcze jestem juz kiedy kto ktora
      ktore ktory lub ma mam mi mnie moge moj moja moje mozna moze mu musze my na nad nam nas
      nie nich nim niz o od on ona one oni oraz po pod pomoca przed przez przy sa sie sam skad
      sobie ta tak taki tam te tego tej ten to tu tych tylko tym ty u w wam was we wiec wszystko
      z za ze zeby`,
    endings: `owania owanie owac anie ania eniu enie enia ami ach ow em om ych ymi ego emu ej ie ia ac
      ic uje a e i o u y`,
  },
  ru: {
    words: `а без был была были было быть в вам вас весь во вот все всё вы где да для до его ее если
      есть еще же за зачем и из или им их к как какая какие какой когда который кто ли либо мне
      мой может можно мы на надо нам нас не него нет ни них но ну нужно о об он она они от по
      под при про с сам свой себе себя со так также такой там тебя то того тоже только том ты у
      уже хочу чего чем что чтобы эта эти это этого этот я`,
    endings: `ированием ирования ирование ировать ениями ениях ением ения ений ение аниями ания аний
      ание ами ями ах ях ов ев ей ой ый ий ая яя ое ее ые ие ого его ому ему ым им ых их ую юю
      ам ям ом ем ать ять ить еть ует ают яют ют ат ят ет ит а я о е у ю ы и ь`,
  },
  uk: {
    words: `а або але без був була були було бути в вам вас ви від він вона вони все для до є же з за
      й і із її їх його коли котрий ли лише мені мій може можна ми мною на над нам нас не немає
      ні ним них по під при про саме свій себе та так також такий там те ти тим то тобі того той
      тому тут у уже хто це цей ця чи чим чого чому що щоб як яка який які якщо я`,
    endings: `ування ювання увати ювати ення ання ами ями ах ях ів їв ей ой ий ій а я ого ому им их ую
      ою ею ам ям ом ем ати яти ити ють ать ять є е о у ю и і ь`,
  },
  tr: {
    words: `acaba ama ancak bana bazi ben beni benim bir biri biz bu bunu bunun cok cunku da daha de
      defa degil diye eger en gibi hangi hem hep hepsi her hic icin ile ise istiyorum kac kadar
      ki kim kimi mi misin mu nasil ne neden nedir nerede nereye nicin niye o olan olarak olur
      olmak on ona onlar onu onun sana sen siz su sunu tum ve veya ya yani yap yapilir yapmak`,
    endings: `larindan lerinden larinda lerinde larini lerini larina lerine larin lerin larda lerde
      lardan lerden lari leri lar ler dan den tan ten da de ta te nin nin in un i u a e mak mek
      ma me yor`,
  },
  id: {
    words: `ada adalah agar akan aku anda antara apa apakah atau bagaimana bahwa bisa dalam dan dapat
      dari daripada dengan di dia hanya harus ia ini itu jadi jika juga kalau kami kamu kapan
      karena ke kepada kita lagi lain lalu maka mana mau mereka mengapa oleh pada para saat saja
      sampai sangat saya sebagai sebuah sedang semua seperti serta siapa sudah supaya tanpa
      telah tentang tersebut tetapi tidak untuk yang`,
    endings: `kannya annya nya kan lah i`,
  },
  ro: {
    words: `a acea aceasta acest aceste acestea ai al ale am ar are as asta ati atunci au ca care ce
      cel cele cine cu cum cand da daca dar de deci despre din dintre doar dupa e ea ei el ele
      era este eu face fara fi fie fost in intre intr isi la le lor lui ma mai mea meu mi mie
      mult nici noi nostru nu o or ori pe pentru pot poate prin sa sau se si sunt ta te toate
      toti trebuie tu un una unde unei unor unui va voi vor vreau`,
    endings: `atiilor atiile atia atie area arii are ului ilor elor ele ile ii ul ea am at and a e i u`,
  },
  hu: {
    words: `a abban az azok azt azon be csak de e ebben egy el en es ez ezek ezt fel ha hanem hogy
      hogyan hol honnan hova is itt jo ki kell le lehet legyen lesz ma meg mert mi miert mikor
      milyen mind mint mit mely melyik most nagy ne nem nincs o ok on ott pedig szamara
      szeretnek s ti tudok tudom te ugy van vagy vagyok volt`,
    endings: `asanak esenek asahoz esehez asara esere asat eset asa ese as es okat eket okban ekben
      okbol ekbol oknak eknek ban ben bol bol ra re rol tol nak nek hoz hez val vel kent ok ek
      ak at et ot on en an a e i t k`,
  },
  ca: {
    words: `a al algun alguna als amb aquell aquest aquesta aquests aixo ara bé cada com d de del dels
      des doncs el ell ella els em en encara entre era es esta estar et fa faig fan fer fins ha
      haver he hem hi ho i ja jo l la les li llavors lo los m ma me mes meu meva molt n ni no
      nosaltres o on per pero perque poden pot puc qual quals quan que qui quin quina quins s sa
      se sense ser seu seva si sobre son sota soc t tambe te tenir tinc ton tot tota tots tu un
      una uns vull`,
    endings: `acions acio adors ador ament iment ant ent int ats ades at ada its ides it ida ar er ir en
      es os a e`,
  },
  lv: {
    words: `ar arī bet bija būt caur cik es esmu gan ir ja jau jā jo ka kā kad kam kāda kāds kas kāpēc
      ko kur kura kurs lai līdz man mana mans mēs mums ne nav no nevar nu pa par pēc pie pirms
      priekš savs šī šis šo ta tā tad tam tas tie tikai to tomēr tu tur un uz vai vairāk var
      varu viņa viņš visi zem`,
    endings: `sanas sanai sanu sana umiem umam uma umu iem ajiem as am ai os os us is es em ei im ie u a
      i s e`,
  },
  uz: {
    words: `ammo bilan biror bo bolsa boladi bor bu bun dan edi ega ekan emas esa faqat ham hamma har
      haqida hech ichida kerak kim ko kanday lekin men meni mening mi mumkin na nega nima nimaga
      ning nechta oz qachon qanday qaysi qayerda qila qilib qilish sen siz sizning shu tomonidan
      u uchun uni uning va yoki yok`,
    endings: `larning larni larga larda lardan lari lar ning dan ga ka da ni si i`,
  },
  vi: {
    words: `ai bang ban boi bi cac cai can cho chung co con cua cung da dang day de den do duoc gi hay
      hoac khi khong la lai lam len ma minh moi mot nao nay nen neu nhieu nhu nhung o ra rang
      rat sao se tai the thi toi trong tu va van ve vi voi`,
    endings: ``,
  },
  ar: {
    words: `من في على إلى عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى كيف لماذا أين هل أو و ثم
      لا لم لن إن أن كان كانت يكون هو هي هم أنا نحن أنت كل بعض عند بعد قبل حتى إذا كما لكن قد
      يمكن يمكنني أريد لي له بها به فيه فيها`,
    endings: ``,
  },
  he: {
    words: `של את על אל עם זה זו זאת הוא היא הם הן אני אתה אנחנו מה מי איך למה מדוע מתי איפה היכן האם
      או גם כל לא אין יש כי אם אבל רק עוד כמו בין אשר שלי שלך להיות ניתן אפשר צריך רוצה`,
    endings: ``,
  },
  hi: {
    words: `का के की को में से पर और या है हैं था थे थी हो होता होती होते कर करना करने करें किया यह वह
      ये वे इस उस क्या कैसे क्यों कब कहाँ कौन जो तो भी ही नहीं मैं हम आप मेरे मेरा मेरी अपने लिए
      साथ एक कुछ सकता सकते सकती चाहिए`,
    endings: ``,
  },
  ko: {
    words: `이 그 저 것 수 및 등 또는 그리고 어떻게 무엇 왜 언제 어디 어디서 누가 어떤 하는 하기 하는법 방법 있나요 있는 있습니까 합니까 하나요 할 한 위해 대해
      무엇인가요`,
    endings: `에서는 에서 에게 으로 까지 부터 하는 하기 합니다 입니다 은 는 이 가 을 를 에 의 로 와 과 도`,
  },
  cn: {
    words: `如何 怎么 怎样 什么 为什么 哪里 哪个 是否 可以 能否 我们 你们 一个 这个 那个 以及 或者`,
    endings: ``,
  },
  'zh-Hant': {
    words: `如何 怎麼 怎樣 什麼 為什麼 哪裡 哪個 是否 可以 能否 我們 你們 一個 這個 那個 以及 或者`,
    endings: ``,
  },
  jp: {
    words: `です ます する した して には とは どう なぜ いつ どこ から まで この その こと もの`,
    endings: ``,
  },
}
