"""White-balanced faces of the nine Tikis, for use before any calibration."""

import base64
import zlib
from typing import Final

import cv2
import numpy as np

from vision.photometry.chromaticity import Chroma

FACES: Final = (
    "c-j?IX>S|J5$(HsPI5?!lBml%d@Bx|0QvtP0%Vgt<Xzj@MQp8j3@M2cDGoWDtFN?xH-*=)s$caq3ccd8K(@A^F{m-P"
    "QLr&kYScI=7hz*z4fR%(3R>eng`kE|11*uNp^?ZDr~p#HC}cHM*jVGzmRJjb_8ha;7+~DW0O6KEQwyL02pI}AF&01T"
    "mRSoGbTtl8TV{+0EY^UyERq-~YOL$atP#L)SN|N1u$tRv;tX9SLrS}1cLD>6+YSr{07BOf*k?Fqojr2@LK_t<8osW5"
    "VLhROu#CIPbMAQ=MbeM0(*w^2%6N0=O^}}jTnGe0j6kw)y<E_nI%$Voco+r*;lNThgknnkJfdU+G=~<)ZNg@peAf{U"
    "DbB2A(69hA_6^fp5Frt?B1U~L(8&M=5_uchPPiY1lmy(f&Ys;Mo`RU_&M`;^y0fo4N2YUZdM`}xR3}b6vODLpH(+$4"
    "!v~oV**#LdqdM8!#>qBn<*oL%)vnvSsxvU%LDOxU@Yd`X)eBIbqw<2*Z%FeVdEq*U*7YT+Uz75Jl^47@Lvnv3Um5cn"
    "fm5U2;QBqTJ|O){%2##$4mEFB^AgK*S$~B3wbmcBeXk-f)7=8TsMR|t{{iJkDBmG)+~{r|i>3J}^?Ri+mH7zBaYgqF"
    "ufNrAt^EM)M{6%F@0aYT!Y>>1cc|Ys&AGIf0CkP$n<#Km2i*9c@wtwK^#j8a1O5Wl*|s_<)LBDC6CmYb&9Ej8NMS57"
    "(U@u^8vRn+!Af&OYAiO`&yiSCKgZq^_BX_PdWN47u^@hdk%Uzd)afq07wn$#Imff8ob9UFj!L`yo;i`tgqiI$MW@*$"
    ">TcJ|39KNk09$+Vp-UfQJMTmlkQIswVD5KSzNfODz8!#NM@YsRuGd}jkdQ^B9{Z&9StHQ8Z5{@CHPCfS-R|j!J-zC4"
    "jV#2?PSEUyHD|&An{~|NzMb#ur$Gr>T}FBvsUq1JwhoX!Md~%l`y@lCs@tmCk#$nr*mRcV&Vq!G@?b7c<|Le|7c+T!"
    "N5iQ+N#*ea31(_<D&r?JxHo4Lw42(4sX3XUgKKj(w5LO~H`FgC=6D7VhUV;lx_<``Q{?uZ-wMCr++FenoQ~}2H+6Bt"
    "gJ;E_r}p&5?u}7272(vJ4{`U2byo7t4LJT2AAZvpL)>4{-rAi1Nn0bzQ|8Tlk=nr+9^Qlf1vs4BgIj$#vquv%xP=EP"
    "I7$VdP%?$lEo`N*{bc;DM;jz6A}T6s>sKC?I;?22vdP56QxH!;`~`Hrg5IyN_ix+%7l?nc!B^AzWV%<j|Fhk_QoXOT"
    "Jt6#eLa$)^4;*|(@n@J^f&LGm^@$``xcvzwzk$vlH249F-wFGLldJk{?ei_@O=0i_wthvOPoVvi?WY0Vx+`V$KZyQB"
    "*k=xZB*Dn13!F@d_%DinL-8*pyn@|SusMvsG5k-+u3UEkel~a-z`Vvw4)cOMmh{0x+mfsV%q>nC{L%6+CLR&*bHSI2"
    "=nYXdGc|2AQ57+3W*VyV=YjsJ!yDK}q{FF0!bq2q&U2)F?m+qs_b5pSj**U)J#K;14mxV#gBCn&nTxKx+|z&E2PYkP"
    "kbuLkJ?Wa4U3C<bgNSuJ<VKz%OCU|SzU-^N^+iAm1}g?RMPx6w`!U@SwC9V6^Nz<m0t{mPwx=(9csFDnpSL~M;$$x}"
    "`ymZ6_n8COkFbxiz|bear^F+$EqK=xE*mhF5Y;v|Mj%E_&ka1xxXFas2%QU4L;xljw6Kj(lV}p;%*$!K3cS2c3KC^H"
    "&U7m$aTfAzC^odc62Y2#8|+?nR@h*T{DO#W9p);knmDiH9Qj+91(ACrww!P4Xe&cE+XW#Nr==@K@shNjpr41dq@?or"
    "wu$mOEL8MNOuRACTE&|>-oSQ7TFa`PHLZ<~Hma39w+Ni)TE}Y;WguSTcum6%bteheJj`*lLU9IKD-dUOxZZ^8EXr~("
    "E5dE<R~$5+ZCs?Fmb}>ddF|&-xNzoH&DC-OvN2kX!F*^&Bao(GJl1z(xEdjc<&8;iG@OIslr4s$oXBh*ltVDPQNvV^"
    "Mr?WQM6<e&sv#U->%|O?QgT1^^08jcg6)k;$MWt`&Sq#a_O}z0P5t#X7=2fFDc?-cY=~3mHc_Lg8b8+4g`C|tlZl#s"
    "x9PPVUgO6hEJwZ`q4~(BvnGAyMG?v}Y^qSzj-YI#XEQjtVfhH7w6=@9yl;xTrhKTYMOiM&Vp-(NvRszMypnUNZWWzF"
    "fBk=tG6~N"
)
"""(9, 6, 14, 3) int8 in steps of 1/64, deflated, in base 85: names in calibration order, rows and
columns of 4 mm, channels of chromaticity; medians over several rendered sets, lamps and cameras."""


def load_default_faces(rows: int, columns: int) -> Chroma:
    """Return the default faces (names, *rows*, *columns*, 3)."""
    steps = np.frombuffer(zlib.decompress(base64.b85decode(FACES)), np.int8)
    faces = (steps.reshape(9, 6, 14, 3) / 64.0).astype(np.float32)
    return np.stack([np.asarray(cv2.resize(face, (columns, rows)), np.float32) for face in faces])
